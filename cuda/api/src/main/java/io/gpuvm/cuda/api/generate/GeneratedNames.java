package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import java.util.Locale;
import java.util.regex.Pattern;

/// Names in generated sources.
final class GeneratedNames {
    private static final Pattern COPY = Pattern.compile("([HD])to([HD])");
    private static final Pattern WORD_STARTS =
            Pattern.compile("(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])");

    private GeneratedNames() {}

    /// Returns the constant of an opcode in C: `GPUVM_OP_MemAlloc`.
    static String cOpcode(ApiFunction function) {
        return "GPUVM_OP_" + function.shortName();
    }

    /// Returns the constant of an opcode in Java: `MEM_ALLOC`, `MEMCPY_HTOD_ASYNC`.
    static String javaOpcode(ApiFunction function) {
        String name =
                COPY.matcher(function.shortName())
                        .replaceAll(to -> to.group(1) + "to" + lower(to.group(2)));
        return WORD_STARTS.matcher(name).replaceAll("_").toUpperCase(Locale.ROOT);
    }

    /// Returns the method of a call in Java: `memAlloc`.
    static String javaMethod(ApiFunction function) {
        String name = function.shortName();
        return lower(name.substring(0, 1)) + name.substring(1);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
