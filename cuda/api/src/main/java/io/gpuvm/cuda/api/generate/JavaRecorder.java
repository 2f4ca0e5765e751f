package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiTable;
import java.util.stream.Collectors;

/// Generator of the Java handler that turns calls into records, for tests and traces.
final class JavaRecorder implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text =
                JavaSignatures.file(
                        "java.lang.foreign.MemorySegment",
                        "java.lang.foreign.ValueLayout",
                        "java.nio.ByteBuffer",
                        "java.util.function.Consumer");
        text.line("/// Handler that passes each call as a record to a consumer. It allocates.");
        text.open("public final class CudaCallRecorder implements CudaCallHandler {");
        text.line("private final Consumer<CudaCall> calls;").blank();
        text.line("/// Creates a recorder.");
        text.line("///");
        text.line("/// @param calls receiver of valid calls");
        text.open("public CudaCallRecorder(Consumer<CudaCall> calls) {");
        text.line("this.calls = calls;").close("}").blank();
        refused(text);
        table.calls().forEach(function -> method(text.blank(), function));
        record(text.blank());
        return text.close("}").toString();
    }

    private static void refused(SourceText text) {
        text.line("@Override");
        text.line("public int refused(");
        text.line("        long sequence,");
        text.line("        int opcode,");
        text.line("        String operand,");
        text.line("        long value,");
        text.line("        String expected,");
        text.open("        int status) {");
        text.line("return status;").close("}");
    }

    private static void method(SourceText text, ApiFunction function) {
        text.line("@Override");
        text.open(
                "public int %s(%s) {"
                        .formatted(
                                GeneratedNames.javaMethod(function),
                                JavaSignatures.handlerParameters(function)));
        String values =
                function.operands().stream()
                        .map(JavaRecorder::value)
                        .collect(Collectors.joining(", "));
        text.format("return record(new CudaCall.%s(%s));", function.shortName(), values);
        text.close("}");
    }

    private static String value(ApiOperand operand) {
        String name = operand.name();
        return operand.isWord() ? name : "bytes(arguments, %sAt, %sBytes)".formatted(name, name);
    }

    private static void record(SourceText text) {
        text.open("private int record(CudaCall call) {");
        text.line("calls.accept(call);");
        text.line("return CudaStatus.SUCCESS;").close("}").blank();
        text.open(
                "private static ByteBuffer bytes(MemorySegment arguments, long at, int length) {");
        text.line("MemorySegment slice = arguments.asSlice(at, length);");
        text.line("return ByteBuffer.wrap(slice.toArray(ValueLayout.JAVA_BYTE));").close("}");
    }
}
