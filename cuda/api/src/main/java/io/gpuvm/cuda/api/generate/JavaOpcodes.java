package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.WireHash;
import io.gpuvm.cuda.api.table.WireLayout;

/// Generator of the Java class with opcodes, flags and limits of the wire.
final class JavaOpcodes implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = JavaSignatures.file();
        text.line("/// Opcodes of the CUDA driver API on the wire, and limits of the wire.");
        text.open("public final class CudaOpcode {");
        text.line("/// Hash of opcodes, operands and results; both ends compare it.");
        text.format("public static final long WIRE_HASH = 0x%016xL;", WireHash.of(table)).blank();
        text.line("/// Flag: the client expects no completion.");
        text.line("public static final int NO_REPLY = 1;").blank();
        text.line("/// Flag: operands are in the argument ring, too.");
        text.line("public static final int SPILLED = 1 << 1;").blank();
        text.line(
                "/// Flag of a copy of class no-reply: its completion is written when the copy no");
        text.line("/// longer reads or writes the data area.");
        text.line("public static final int REPLY_AFTER_USE = 1 << 2;").blank();
        text.line("/// Maximum length of a call's arguments, in bytes.");
        text.format(
                "public static final int MAX_ARGUMENT_BYTES = %d;", WireLayout.MAX_ARGUMENT_BYTES);
        text.blank();
        for (ApiFunction function : table.functions()) {
            text.line("/// " + JavaSignatures.summary(function));
            text.format(
                    "public static final int %s = 0x%04x;",
                    GeneratedNames.javaOpcode(function), function.opcode());
            text.blank();
        }
        text.line("private CudaOpcode() {}").blank();
        text.line("/// Returns the name of an opcode, or null if the opcode is unknown.");
        text.open("public static String nameOf(int opcode) {");
        text.open("return switch (opcode) {");
        for (ApiFunction function : table.functions()) {
            text.format("case %s -> \"%s\";", GeneratedNames.javaOpcode(function), function.name());
        }
        text.line("default -> null;").close("};").close("}");
        return text.close("}").toString();
    }
}
