package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.ApiTypes;
import io.gpuvm.cuda.api.table.ApiVariant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Generator of the part of the programs' `cuda.h` that the table knows: results, attributes,
/// handles, structures and functions. A name without version stands for the newest variant that the
/// library supports, as in NVIDIA's header.
final class CDriverHeader implements Generator {
    /// Types that `cuda.h` defines before it includes this file.
    private static final Set<String> DEFINED_BEFORE = Set.of("CUuuid", "cuuint64_t");

    /// Names of structures behind handles that differ from the handle's name; the runtime's header
    /// uses them, too.
    private static final Map<String, String> STRUCTURES =
            Map.of(
                    "CUcontext", "CUctx_st",
                    "CUmodule", "CUmod_st",
                    "CUfunction", "CUfunc_st",
                    "CUlibrary", "CUlib_st",
                    "CUkernel", "CUkern_st");

    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.c());
        text.line("#ifndef GPUVM_DRIVER_API_H").line("#define GPUVM_DRIVER_API_H").blank();
        CEnumerations.results(text, table, "cudaError_enum");
        CEnumerations.attributes(text, table, "CUdevice_attribute_enum");
        types(text, table.types());
        for (ApiFunction function : table.cudaFunctions()) {
            for (ApiVariant variant : function.variants()) {
                if (variant.support().isLive()) {
                    variant(text, table, function, variant);
                }
            }
        }
        perThread(text, table);
        return text.blank().line("#endif").toString();
    }

    /// Writes the names that stand for functions whose default stream is the calling thread's own.
    private static void perThread(SourceText text, ApiTable table) {
        text.blank().line("#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)");
        for (ApiFunction function : table.cudaFunctions()) {
            for (ApiVariant variant : function.variants()) {
                String name = variant.queryName();
                if (variant.support().isLive()
                        && variant.hasTwin()
                        && variant.symbol().equals(newest(table, name))) {
                    text.line(CSignatures.exported(function, variant.twinSymbol()) + ";");
                    text.format("#undef %s", name);
                    text.format("#define %s %s", name, variant.twinSymbol());
                }
            }
        }
        text.line("#endif");
    }

    private static void types(SourceText text, ApiTypes types) {
        types.integers()
                .forEach((name, type) -> {
                    if (!DEFINED_BEFORE.contains(name)) {
                        text.format("typedef %s %s;", type, name);
                    }
                });
        types.handles()
                .keySet()
                .forEach(name ->
                        text.format(
                                "typedef struct %s *%s;",
                                STRUCTURES.getOrDefault(name, name + "_st"), name));
        text.blank();
        types.callbacks()
                .forEach((name, callback) ->
                        text.format(
                                "typedef %s (*%s)%s;",
                                callback.result(), name, callback.parameters()));
        text.blank();
        types.structs()
                .forEach((name, fields) -> {
                    if (!DEFINED_BEFORE.contains(name)) {
                        struct(text, name, fields);
                    }
                });
    }

    private static void struct(SourceText text, String name, List<String> fields) {
        text.open("typedef struct " + name + "_st {");
        fields.forEach(field -> text.line(field + ";"));
        text.close("} " + name + ";").blank();
    }

    private static void variant(
            SourceText text, ApiTable table, ApiFunction function, ApiVariant variant) {
        String symbol = variant.symbol();
        String name = variant.queryName();
        if (!symbol.equals(name) && symbol.equals(newest(table, name))) {
            text.format("#define %s %s", name, symbol);
        }
        text.line(CSignatures.exported(function, symbol) + ";");
    }

    private static String newest(ApiTable table, String name) {
        return table.cudaFunctions().stream()
                .flatMap(function -> function.variants().stream())
                .filter(variant -> variant.support().isLive() && variant.queryName().equals(name))
                .max(Comparator.comparingInt(ApiVariant::since))
                .orElseThrow()
                .symbol();
    }
}
