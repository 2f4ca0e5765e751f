package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiTable;

/// Generator of the C source with the name of each function and operation, by opcode.
final class CCallNames implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.c());
        text.line("#include \"gpuvm_cuda_api.h\"").blank();
        text.line("const char *gpuvm_call_name(uint32_t opcode)").open("{");
        text.line("switch (opcode) {");
        for (ApiFunction function : table.functions()) {
            text.open("case %s:".formatted(GeneratedNames.cOpcode(function)));
            text.format("return \"%s\";", function.name());
            text.dedent();
        }
        text.line("}");
        text.line("return NULL;");
        text.close("}");
        return text.toString();
    }
}
