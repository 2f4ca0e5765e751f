package io.gpuvm.cuda.api.generate;

/// First lines of generated files.
final class Notices {
    private static final String ORIGIN =
            "Generated from the table of cuda/api (functions.txt and its neighbours); do not edit.";

    private static final String RUNTIME_ORIGIN =
            "Generated from the table of cuda/api (runtime.txt and its neighbours); do not edit.";

    private Notices() {}

    /// Returns the first line of a C file.
    static String c() {
        return "/* " + ORIGIN + " */";
    }

    /// Returns the first line of a Java file.
    static String java() {
        return "// " + ORIGIN;
    }

    /// Returns the first line of a file whose comments begin with `#`.
    static String hash() {
        return "# " + ORIGIN;
    }

    /// Returns the first line of a Markdown file.
    static String markdown() {
        return "<!-- " + ORIGIN + " -->";
    }

    /// Returns the first line of a C file of the runtime API.
    static String runtimeC() {
        return "/* " + RUNTIME_ORIGIN + " */";
    }

    /// Returns the first line of a Markdown file of the runtime API.
    static String runtimeMarkdown() {
        return "<!-- " + RUNTIME_ORIGIN + " -->";
    }
}
