package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.CallClass;
import io.gpuvm.cuda.api.table.WireLayout;
import java.util.ArrayList;
import java.util.List;

/// Generator of the Java records of all calls, which encode themselves.
final class JavaCalls implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text =
                JavaSignatures.file(
                        "java.lang.foreign.MemorySegment",
                        "java.lang.foreign.ValueLayout",
                        "java.nio.ByteBuffer",
                        "java.nio.ByteOrder");
        text.line("/// Call on the wire: an entry of the submission ring with its arguments.");
        text.open("public sealed interface CudaCall {");
        text.line("/// Word of an entry or of the arguments: 64 bits, little-endian.");
        text.line("ValueLayout.OfLong WORD =");
        text.line("        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);");
        text.blank();
        text.line("/// Returns the opcode, and the flags above it.");
        text.line("int tag();").blank();
        text.line("/// Writes the operands.");
        text.line("///");
        text.line("/// @param entry entry of 64 bytes, whose operands the call writes");
        text.line("/// @param arguments memory for the arguments of a spilled call");
        text.line("/// @param argumentOffset offset of the arguments in the data area");
        text.line("/// @return number of argument bytes, a multiple of 8; 0 if not spilled");
        text.line("int write(MemorySegment entry, MemorySegment arguments, long argumentOffset);");
        table.calls().forEach(function -> record(text.blank(), function));
        putBytes(text.blank());
        return text.close("}").toString();
    }

    private static void record(SourceText text, ApiFunction function) {
        WireLayout layout = function.layout();
        text.line("/// " + JavaSignatures.summary(function));
        JavaSignatures.document(text, function.operands());
        text.format(
                "record %s(%s) implements CudaCall {",
                function.shortName(), JavaSignatures.components(function.operands()));
        text.open("").line("@Override").open("public int tag() {");
        text.format("return %s;", tag(function)).close("}").blank();
        text.line("@Override");
        text.open(
                "public int write(MemorySegment entry, MemorySegment arguments, long"
                        + " argumentOffset) {");
        words(text, layout);
        if (layout.isSpilled()) {
            spill(text, layout);
        } else {
            text.line("return 0;");
        }
        text.close("}").close("}");
    }

    private static String tag(ApiFunction function) {
        List<String> flags = new ArrayList<>();
        if (function.callClass() == CallClass.NO_REPLY) {
            flags.add("CudaOpcode.NO_REPLY");
        }
        if (function.layout().isSpilled()) {
            flags.add("CudaOpcode.SPILLED");
        }
        String opcode = "CudaOpcode." + GeneratedNames.javaOpcode(function);
        return flags.isEmpty()
                ? opcode
                : "%s | (%s) << Short.SIZE".formatted(opcode, String.join(" | ", flags));
    }

    private static void words(SourceText text, WireLayout layout) {
        List<ApiOperand> words = layout.words();
        for (int i = 0; i < words.size(); i++) {
            WireLayout.Place place = layout.placeOf(i);
            text.format(
                    "%s.set(WORD, %d, %s);",
                    place.isInEntry() ? "entry" : "arguments",
                    place.offset(),
                    JavaSignatures.word(words.get(i)));
        }
    }

    private static void spill(SourceText text, WireLayout layout) {
        text.format("int end = %d;", layout.spilledWords() * Long.BYTES);
        for (ApiOperand blob : layout.blobs()) {
            text.format("end = putBytes(arguments, end, %s);", blob.name());
        }
        text.format("entry.set(WORD, %d, argumentOffset);", WireLayout.OPERANDS_OFFSET);
        text.format("entry.set(WORD, %d, end);", WireLayout.OPERANDS_OFFSET + Long.BYTES);
        text.line("return end;");
    }

    private static void putBytes(SourceText text) {
        text.open(
                "private static int putBytes(MemorySegment arguments, int at, ByteBuffer bytes) {");
        text.line("int length = bytes.remaining();");
        text.line("int start = at + Long.BYTES;");
        text.line("int end = start + (length + Long.BYTES - 1) / Long.BYTES * Long.BYTES;");
        text.line("arguments.set(WORD, at, length);");
        text.line("arguments.asSlice(start, end - start).fill((byte) 0);");
        text.line("arguments.asSlice(start, length).copyFrom(MemorySegment.ofBuffer(bytes));");
        text.line("return end;").close("}");
    }
}
