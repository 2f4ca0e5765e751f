package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.RuntimeName;

/// Generator of the exported functions of the runtime API that gpuvm does not support. They have no
/// parameters: a C function may ignore those that its caller passes.
final class RuntimeRefusals implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.runtimeC());
        text.line("#include \"refusals.h\"").blank();
        for (RuntimeName name : table.runtime().unsupported()) {
            refusal(text, name.symbol(), name.symbol());
            if (name.hasTwin()) {
                refusal(text, name.twinSymbol(), name.symbol());
            }
        }
        return text.toString();
    }

    private static void refusal(SourceText text, String symbol, String name) {
        text.format("GPUVM_EXPORT cudaError_t %s(void);", symbol);
        text.format("cudaError_t %s(void)", symbol).open("{");
        text.format("return gpuvm_runtime_refuse(\"%s\");", name).close("}").blank();
    }
}
