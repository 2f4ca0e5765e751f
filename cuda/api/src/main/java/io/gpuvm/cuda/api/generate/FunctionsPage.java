package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.ApiVariant;
import java.util.stream.Collectors;

/// Generator of the documentation page of supported functions.
final class FunctionsPage implements Generator {
    private static final String INTRODUCTION =
            """
            # CUDA functions

            `libcuda.so.1` exports %d names. The functions on this page are supported; the other %d names, of which the last section lists the functions,
            answer `CUDA_ERROR_NOT_SUPPORTED`. Versions are those of CUDA in which a name appears. Names with the suffix `_ptsz` or `_ptds` use the default
            stream of the calling thread.

            | Class | Meaning |
            |---|---|
            | local | the library answers from its own state |
            | no-reply | the call returns at once; a later call that waits returns its error |
            | reply | the call waits for the backend, but not for the GPU |
            | wait | the call waits for the GPU |
            """;

    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.markdown());
        long refused =
                table.variants()
                        .filter(variant -> !variant.support().isLive())
                        .mapToLong(variant -> variant.symbols().size())
                        .sum();
        text.raw(INTRODUCTION.formatted(table.symbols().size(), refused));
        String group = null;
        for (ApiFunction function : table.cudaFunctions()) {
            if (!function.group().equals(group)) {
                group = function.group();
                text.blank().line("## " + group).blank();
                text.line("| Function | Names | Class |").line("|---|---|---|");
            }
            row(text, function);
        }
        text.blank().line("## Functions without support").blank();
        String names =
                table.unsupported().stream()
                        .map(ApiVariant::queryName)
                        .distinct()
                        .filter(name -> !isSupported(table, name))
                        .sorted()
                        .map(name -> "`" + name + "`")
                        .collect(Collectors.joining(", "));
        return text.raw(WrappedText.of(names + ".")).toString();
    }

    private static boolean isSupported(ApiTable table, String name) {
        return table.cudaFunctions().stream()
                .flatMap(function -> function.variants().stream())
                .anyMatch(variant -> variant.queryName().equals(name));
    }

    private static void row(SourceText text, ApiFunction function) {
        String names =
                function.variants().stream()
                        .filter(variant -> variant.support().isLive())
                        .map(FunctionsPage::variant)
                        .collect(Collectors.joining("<br>"));
        text.format("| %s | %s | %s |", function.name(), names, function.callClass().word());
    }

    private static String variant(ApiVariant variant) {
        int major = variant.since() / 1000;
        int minor = variant.since() % 1000 / 10;
        String twin = variant.hasTwin() ? ", `" + variant.twin().suffix() + "`" : "";
        return "`%s` (%d.%d)%s".formatted(variant.symbol(), major, minor, twin);
    }
}
