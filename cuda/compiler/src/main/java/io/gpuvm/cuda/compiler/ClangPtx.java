package io.gpuvm.cuda.compiler;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Corrections of PTX from clang.
final class ClangPtx {
    /// Definition of a static variable that the host's code uses, too; clang makes its name unique.
    private static final Pattern STATIC_VARIABLE =
            Pattern.compile("(?m)^\\.visible .*?\\b(\\w+)(__static__[0-9a-f]+)\\b");

    private ClangPtx() {}

    /// Returns the source with the unique names of static variables in all places.
    ///
    /// In relocatable code, clang uses the plain name of a static variable in functions that
    /// precede the first use by the host, and declares it as external.
    static String withStaticVariables(String ptx) {
        String corrected = ptx;
        Matcher matcher = STATIC_VARIABLE.matcher(ptx);
        while (matcher.find()) {
            String name = matcher.group(1);
            corrected =
                    corrected
                            .replaceAll("(?m)^\\.extern .*\\b" + name + "\\b(?:\\[\\d*\\])?;$", "")
                            .replaceAll("\\b" + name + "\\b", name + matcher.group(2));
        }
        return corrected;
    }
}
