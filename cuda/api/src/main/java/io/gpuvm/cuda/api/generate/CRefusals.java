package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.ApiVariant;

/// Generator of the C source with the exported functions that answer `CUDA_ERROR_NOT_SUPPORTED`.
/// They take no parameters: the calling convention permits callers to pass some.
final class CRefusals implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.c());
        text.line("#include \"gpuvm_cuda_api.h\"").blank();
        table.variants()
                .filter(variant -> !variant.support().isLive())
                .forEach(variant -> refuse(text, variant));
        return text.toString();
    }

    private static void refuse(SourceText text, ApiVariant variant) {
        for (String symbol : variant.symbols()) {
            text.format("CUresult %s(void)", symbol).open("{");
            text.format("return gpuvm_unsupported(\"%s\");", symbol);
            text.close("}").blank();
        }
    }
}
