package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiTable;

/// Generator of the Java interface to which the decoder dispatches calls.
final class JavaHandler implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = JavaSignatures.file("java.lang.foreign.MemorySegment");
        text.line(
                "/// Executor of decoded calls. Each method returns the call's status, a value of");
        text.line("/// [CudaStatus], or [#PENDING] if the handler completes the call later.");
        text.line("///");
        text.line("/// `sequence` is the number of the call. `reply` is the completion entry: a");
        text.line("/// handler writes results with [CudaReply]. `arguments` are valid until the");
        text.line("/// method returns; bytes in them are given by offset and length.");
        text.open("public interface CudaCallHandler {");
        text.line("/// The handler completes the call later.");
        text.line("int PENDING = -1;").blank();
        refused(text);
        table.calls().forEach(function -> method(text.blank(), function));
        return text.close("}").toString();
    }

    private static void refused(SourceText text) {
        text.line("/// Called for a call whose entry is not valid.");
        text.line("///");
        text.line("/// @param sequence number of the call");
        text.line("/// @param opcode opcode of the call, known or not");
        text.line("/// @param operand name of the operand, or `opcode`, `flags` or `arguments`");
        text.line("/// @param value value of the operand");
        text.line("/// @param expected valid values, in words");
        text.line("/// @param status `INVALID_VALUE`, or `NOT_SUPPORTED` for an unknown opcode");
        text.line("/// @return status of the call");
        text.line("int refused(");
        text.line("        long sequence,");
        text.line("        int opcode,");
        text.line("        String operand,");
        text.line("        long value,");
        text.line("        String expected,");
        text.line("        int status);");
    }

    private static void method(SourceText text, ApiFunction function) {
        text.line("/// " + JavaSignatures.summary(function));
        text.line("///");
        text.line("/// @param sequence number of the call");
        if (!function.results().isEmpty()) {
            text.line("/// @param reply completion entry for the results");
        }
        if (!function.layout().blobs().isEmpty()) {
            text.line("/// @param arguments copy of the call's arguments");
        }
        for (ApiOperand operand : function.operands()) {
            if (operand.isWord()) {
                text.format("/// @param %s %s", operand.name(), JavaSignatures.meaning(operand));
            } else {
                String name = operand.name();
                text.format("/// @param %sAt offset of %s in the arguments", name, name);
                text.format("/// @param %sBytes length: %s", name, JavaSignatures.meaning(operand));
            }
        }
        text.line("/// @return status of the call");
        text.format(
                "int %s(%s);",
                GeneratedNames.javaMethod(function), JavaSignatures.handlerParameters(function));
    }
}
