package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.RuntimeFunction;

/// Generator of the C header with the prototypes of the runtime API's functions by hand, which the
/// stubs call.
final class RuntimeHeader implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.runtimeC());
        text.line("#ifndef GPUVM_RUNTIME_API_H").line("#define GPUVM_RUNTIME_API_H").blank();
        text.line("#include \"stubs.h\"").blank();
        for (RuntimeFunction function : table.runtime().functions()) {
            if (function.hasStub()) {
                text.line(RuntimeSignatures.byHand(function) + ";");
            }
        }
        return text.blank().line("#endif").toString();
    }
}
