package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.CallEngine;
import io.gpuvm.cuda.api.table.OperandType;
import io.gpuvm.cuda.api.table.ValueCheck;
import io.gpuvm.cuda.api.table.WireLayout;
import java.util.ArrayList;
import java.util.List;

/// Generator of the Java decoder: it checks an entry and its arguments, and calls the handler. It
/// does not allocate.
final class JavaDecoder implements Generator {
    private static final String PARAMETERS =
            "int flags, long sequence, MemorySegment entry, MemorySegment arguments, long"
                    + " argumentBytes, MemorySegment reply, CudaCallHandler handler";
    private static final String ARGUMENTS =
            "flags, sequence, entry, arguments, argumentBytes, reply, handler";

    @Override
    public String generate(ApiTable table) {
        SourceText text =
                JavaSignatures.file(
                        "java.lang.foreign.MemorySegment", "java.lang.foreign.ValueLayout");
        text.line(
                "/// Decoder of calls. It trusts nothing in the entry and the arguments, which must");
        text.line("/// be private copies. Stateless.");
        text.open("public final class CudaCallDecoder {");
        text.line("private static final ValueLayout.OfLong WORD = CudaCall.WORD;");
        text.line("private static final int CODE_MASK = 0xffff;");
        text.line("private static final int INVALID = CudaStatus.INVALID_VALUE;").blank();
        text.line("private CudaCallDecoder() {}").blank();
        decode(text, table);
        table.calls().forEach(function -> method(text.blank(), function));
        flags(text.blank());
        return text.close("}").toString();
    }

    private static void decode(SourceText text, ApiTable table) {
        text.line("/// Decodes a call, and calls the handler.");
        text.line("///");
        text.line("/// @param tag opcode, and flags above it");
        text.line("/// @param sequence number of the call, for the handler");
        text.line("/// @param entry copy of the entry, 64 bytes");
        text.line("/// @param arguments copy of the arguments; ignored unless spilled");
        text.line("/// @param argumentBytes number of argument bytes, 0 to");
        text.line("///   [CudaOpcode#MAX_ARGUMENT_BYTES]");
        text.line("/// @param reply completion entry, for the handler's results");
        text.line("/// @param handler receiver of the call");
        text.line("/// @return the handler's answer");
        text.line("public static int decode(");
        text.line("        int tag,");
        text.line("        long sequence,");
        text.line("        MemorySegment entry,");
        text.line("        MemorySegment arguments,");
        text.line("        long argumentBytes,");
        text.line("        MemorySegment reply,");
        text.open("        CudaCallHandler handler) {");
        text.line("int opcode = tag & CODE_MASK;");
        text.line("int flags = tag >>> Short.SIZE;");
        text.open("return switch (opcode) {");
        for (ApiFunction function : table.calls()) {
            text.format("case CudaOpcode.%s ->", GeneratedNames.javaOpcode(function));
            text.format("        %s(%s);", GeneratedNames.javaMethod(function), ARGUMENTS);
        }
        text.line("default ->");
        text.line("        handler.refused(");
        text.line("                sequence,");
        text.line("                opcode,");
        text.line("                \"opcode\",");
        text.line("                opcode,");
        text.line("                \"an opcode with a call\",");
        text.line("                CudaStatus.NOT_SUPPORTED);");
        text.close("};").close("}");
    }

    private static void method(SourceText text, ApiFunction function) {
        WireLayout layout = function.layout();
        text.format("private static int %s(", GeneratedNames.javaMethod(function));
        text.open("        " + PARAMETERS + ") {");
        refuseIf(
                text,
                function,
                "!areFlags(flags, %s, %s, %s)"
                        .formatted(
                                layout.isSpilled(),
                                function.callClass().hasReply(),
                                mayUseArea(function)),
                "flags",
                "flags",
                "the flags of the call");
        if (layout.isSpilled()) {
            int least = layout.spilledWords() * Long.BYTES;
            String condition =
                    layout.blobs().isEmpty()
                            ? "argumentBytes != " + least
                            : "argumentBytes < " + least;
            arguments(text, function, condition);
        }
        List<ApiOperand> words = layout.words();
        for (int i = 0; i < words.size(); i++) {
            word(text, function, words.get(i), layout.placeOf(i));
        }
        blobs(text, function, layout);
        text.format(
                "return handler.%s(%s);",
                GeneratedNames.javaMethod(function), handlerArguments(function));
        text.close("}");
    }

    private static void word(
            SourceText text, ApiFunction function, ApiOperand operand, WireLayout.Place place) {
        String name = operand.name();
        text.format(
                "long %sWord = %s.get(WORD, %d);",
                name, place.isInEntry() ? "entry" : "arguments", place.offset());
        String word = name + "Word";
        String misfit = misfit(operand.type(), word);
        if (misfit != null) {
            refuseIf(text, function, misfit, name, word, "a value of type " + operand.type());
        }
        for (ValueCheck check : operand.checks()) {
            refuseIf(text, function, violation(check, word), name, word, check.description());
        }
    }

    private static String misfit(OperandType type, String word) {
        return switch (type) {
            case I32 -> "(int) %s != %s".formatted(word, word);
            case U8 -> word + " >>> 8 != 0";
            case U16 -> word + " >>> 16 != 0";
            case U32, F32 -> word + " >>> 32 != 0";
            default -> null;
        };
    }

    private static String violation(ValueCheck check, String word) {
        return switch (check.kind()) {
            case NONZERO -> word + " == 0";
            case ZERO -> word + " != 0";
            case MIN -> "%s < %dL".formatted(word, check.first());
            case RANGE -> "%s < %dL || %s > %dL".formatted(word, check.first(), word, check.last());
            case MULTIPLE -> "Long.remainderUnsigned(%s, %dL) != 0".formatted(word, check.first());
            case MASK -> "(%s & ~0x%xL) != 0".formatted(word, check.first());
        };
    }

    private static void blobs(SourceText text, ApiFunction function, WireLayout layout) {
        if (layout.blobs().isEmpty()) {
            return;
        }
        text.format("long end = %d;", layout.spilledWords() * Long.BYTES);
        for (ApiOperand blob : layout.blobs()) {
            String name = blob.name();
            arguments(text, function, "argumentBytes - end < Long.BYTES");
            text.format("long %sBytes = arguments.get(WORD, end);", name);
            String condition =
                    blob.isFixed()
                            ? "%sBytes != %d".formatted(name, blob.maxBytes())
                            : "%sBytes < 0 || %sBytes > %d".formatted(name, name, blob.maxBytes());
            refuseIf(text, function, condition, name, name + "Bytes", JavaSignatures.meaning(blob));
            text.format("long %sAt = end + Long.BYTES;", name);
            text.format(
                    "end = %sAt + (%sBytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;",
                    name, name);
            arguments(text, function, "end > argumentBytes");
        }
        arguments(text, function, "end != argumentBytes");
    }

    private static void arguments(SourceText text, ApiFunction function, String condition) {
        refuseIf(
                text,
                function,
                condition,
                "arguments",
                "argumentBytes",
                "the length of the call's operands");
    }

    private static void refuseIf(
            SourceText text,
            ApiFunction function,
            String condition,
            String operand,
            String value,
            String expected) {
        text.open("if (" + condition + ") {");
        text.format(
                "return handler.refused(sequence, CudaOpcode.%s, \"%s\", %s, \"%s\", INVALID);",
                GeneratedNames.javaOpcode(function), operand, value, expected);
        text.close("}");
    }

    private static String handlerArguments(ApiFunction function) {
        List<String> arguments = new ArrayList<>(List.of("sequence"));
        if (!function.results().isEmpty()) {
            arguments.add("reply");
        }
        if (!function.layout().blobs().isEmpty()) {
            arguments.add("arguments");
        }
        for (ApiOperand operand : function.operands()) {
            if (operand.isWord()) {
                arguments.add(JavaSignatures.value(operand.type(), operand.name() + "Word"));
            } else {
                arguments.add(operand.name() + "At");
                arguments.add("(int) " + operand.name() + "Bytes");
            }
        }
        return String.join(", ", arguments);
    }

    /// Returns whether the operation of a call without reply may use the data area after the call.
    private static boolean mayUseArea(ApiFunction function) {
        return !function.callClass().hasReply() && function.engine() == CallEngine.COPY;
    }

    private static void flags(SourceText text) {
        text.line("/// A call without reply may ask for a completion; a call with reply must.");
        text.open(
                "private static boolean areFlags(int flags, boolean isSpilled, boolean hasReply, boolean mayUseArea) {");
        text.line("int needed = isSpilled ? CudaOpcode.SPILLED : 0;");
        text.line("boolean isLate = mayUseArea && (flags & CudaOpcode.NO_REPLY) == 0;");
        text.line(
                "int permitted = needed | (hasReply ? 0 : CudaOpcode.NO_REPLY) | (isLate ? CudaOpcode.REPLY_AFTER_USE : 0);");
        text.line("return (flags & needed) == needed && (flags & ~permitted) == 0;");
        text.close("}");
    }
}
