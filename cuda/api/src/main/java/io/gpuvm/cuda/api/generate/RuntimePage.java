package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.RuntimeFunction;
import io.gpuvm.cuda.api.table.RuntimeLibrary;
import io.gpuvm.cuda.api.table.RuntimeName;
import io.gpuvm.cuda.api.table.RuntimeTable;
import java.util.stream.Collectors;

/// Generator of the documentation page of the runtime API's functions.
final class RuntimePage implements Generator {
    private static final String INTRODUCTION =
            """
            # Functions of the runtime library

            gpuvm's `libcudart` exists for programs of four versions of CUDA. The functions on this page are supported; those of the last section answer
            `cudaErrorNotSupported`. Versions are those of CUDA in which a name appears. Names with the suffix `_ptsz` or `_ptds` use the default stream of
            the calling thread.

            """;

    private static final String CLASSES =
            """

            | Class | Meaning |
            |---|---|
            | local | the function uses neither the driver library nor a context |
            | driver | the function opens the driver library, and needs no context |
            | context | the function makes the primary context of the thread's device current, unless the thread has a current context |
            | exact | the function returns no error, or does not change the thread's last error |
            """;

    @Override
    public String generate(ApiTable table) {
        RuntimeTable runtime = table.runtime();
        SourceText text = new SourceText();
        text.line(Notices.runtimeMarkdown());
        text.raw(INTRODUCTION);
        text.line("| Library | Version of CUDA | Names | Version of the symbols |");
        text.line("|---|---|---:|---|");
        for (RuntimeLibrary library : RuntimeLibrary.values()) {
            text.format(
                    "| `%s` | %s | %d | %s |",
                    library.soname(),
                    version(library.level()),
                    library.symbols(runtime).size(),
                    library.hasSymbolVersions() ? "`" + library.soname() + "`" : "none");
        }
        text.raw(CLASSES);
        String group = null;
        for (RuntimeFunction function : runtime.functions()) {
            if (!function.group().equals(group)) {
                group = function.group();
                text.blank().line("## " + group).blank();
                text.line("| Function | Versions | Class |").line("|---|---|---|");
            }
            text.format(
                    "| `%s`%s | %s | %s |",
                    function.name().symbol(),
                    function.name().hasTwin() ? ", `" + function.name().twin().suffix() + "`" : "",
                    versions(function.name()),
                    function.runtimeClass().word());
        }
        text.blank().line("## Functions without support").blank();
        String names =
                runtime.unsupported().stream()
                        .map(name -> "`" + name.symbol() + "`")
                        .sorted()
                        .collect(Collectors.joining(", "));
        return text.raw(WrappedText.of(names + ".")).toString();
    }

    private static String versions(RuntimeName name) {
        String since = version(name.since());
        return name.until() == Integer.MAX_VALUE ? since : since + " to " + version(name.until());
    }

    private static String version(int number) {
        return number / 1000 + "." + number % 1000 / 10;
    }
}
