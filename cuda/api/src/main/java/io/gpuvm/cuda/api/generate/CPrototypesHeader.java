package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.ApiVariant;
import io.gpuvm.cuda.api.table.WireHash;

/// Generator of the C header with opcodes and prototypes: of exported functions, and of the
/// functions by hand that their stubs call.
final class CPrototypesHeader implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.c());
        text.line("#ifndef GPUVM_CUDA_API_H").line("#define GPUVM_CUDA_API_H").blank();
        text.line("#include \"gpuvm_calls.h\"").blank();
        text.line("/* Hash of opcodes, operands and results; both ends compare it. */");
        text.format("#define GPUVM_WIRE_HASH 0x%016xull", WireHash.of(table)).blank();
        for (ApiFunction function : table.functions()) {
            String name = GeneratedNames.cOpcode(function);
            text.format("#define %s 0x%04xu", name, function.opcode());
        }
        text.blank().line("/* By hand. */");
        for (ApiFunction function : table.cudaFunctions()) {
            if (function.isByHand()) {
                text.line(CSignatures.byHand(function) + ";");
            }
        }
        text.blank().line("/* Exported. */");
        for (ApiFunction function : table.cudaFunctions()) {
            for (ApiVariant variant : function.variants()) {
                exported(text, function, variant);
            }
        }
        for (ApiVariant variant : table.unsupported()) {
            variant.symbols().forEach(symbol -> refused(text, symbol));
        }
        return text.blank().line("#endif").toString();
    }

    private static void exported(SourceText text, ApiFunction function, ApiVariant variant) {
        for (String symbol : variant.symbols()) {
            if (variant.support().isLive()) {
                text.line("GPUVM_EXPORT " + CSignatures.exported(function, symbol) + ";");
            } else {
                refused(text, symbol);
            }
        }
    }

    private static void refused(SourceText text, String symbol) {
        text.format("GPUVM_EXPORT CUresult %s(void);", symbol);
    }
}
