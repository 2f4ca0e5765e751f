package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.RuntimeError;

/// Generator of the C table of `cudaError`: values, values until CUDA 10.0, names and texts.
final class RuntimeErrors implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.runtimeC());
        text.line("#include \"errors.h\"").blank();
        text.open("const struct gpuvm_error gpuvm_errors[] = {");
        for (RuntimeError error : table.runtime().errors()) {
            text.format(
                    "{%d, %d, \"%s\", \"%s\"},",
                    error.value(), error.oldValue(), error.name(), error.text());
        }
        text.close("};").blank();
        text.line("const size_t gpuvm_error_count = sizeof gpuvm_errors / sizeof gpuvm_errors[0];");
        return text.toString();
    }
}
