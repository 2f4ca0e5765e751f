package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.ApiTypes;
import java.util.List;
import java.util.Locale;

/// Generator of the C header with the types of the API.
final class CTypesHeader implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.c());
        text.line("#ifndef GPUVM_CUDA_TYPES_H").line("#define GPUVM_CUDA_TYPES_H").blank();
        text.line("#include <stddef.h>").line("#include <stdint.h>").blank();
        CEnumerations.results(text, table, "");
        CEnumerations.attributes(text, table, "");
        types(text, table.types());
        text.line(
                "/* Handles of the default streams: of all threads, and of the calling thread. */");
        text.line("#define CU_STREAM_LEGACY ((CUstream)0x1)");
        text.line("#define CU_STREAM_PER_THREAD ((CUstream)0x2)").blank();
        return text.line("#endif").toString();
    }

    private static void types(SourceText text, ApiTypes types) {
        types.integers().forEach((name, type) -> text.format("typedef %s %s;", type, name));
        types.enums().forEach(name -> text.format("typedef unsigned int %s;", name));
        text.blank();
        types.handles()
                .forEach((name, kind) -> {
                    String object = kind == null ? name.toLowerCase(Locale.ROOT) : kind.word();
                    text.format("typedef struct gpuvm_%s *%s;", object, name);
                });
        text.blank();
        types.callbacks()
                .forEach((name, callback) ->
                        text.format(
                                "typedef %s (*%s)%s;",
                                callback.result(), name, callback.parameters()));
        text.blank();
        types.structs().forEach((name, fields) -> struct(text, name, fields));
    }

    private static void struct(SourceText text, String name, List<String> fields) {
        text.open("typedef struct {");
        fields.forEach(field -> text.line(field + ";"));
        text.close("} " + name + ";").blank();
    }
}
