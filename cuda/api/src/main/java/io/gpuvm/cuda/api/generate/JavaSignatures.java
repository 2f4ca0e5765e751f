package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.OperandType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Signatures and expressions of generated Java code.
final class JavaSignatures {
    /// Package of the generated classes.
    static final String PACKAGE = "io.gpuvm.cuda.protocol";

    private JavaSignatures() {}

    /// Returns the first lines of a file.
    static SourceText file(String... imports) {
        SourceText text = new SourceText();
        text.line(Notices.java()).format("package %s;", PACKAGE).blank();
        for (String name : imports) {
            text.format("import %s;", name);
        }
        return imports.length == 0 ? text : text.blank();
    }

    /// Returns a comment of one line that describes a call.
    static String summary(ApiFunction function) {
        return "%s, opcode 0x%04x, class %s."
                .formatted(function.name(), function.opcode(), function.callClass().word());
    }

    /// Adds lines `@param NAME meaning` for operands or results.
    static void document(SourceText text, List<ApiOperand> values) {
        if (!values.isEmpty()) {
            text.line("///");
        }
        values.forEach(value -> text.format("/// @param %s %s", value.name(), meaning(value)));
    }

    /// Returns the meaning of an operand or a result.
    static String meaning(ApiOperand operand) {
        String meaning =
                switch (operand.kind()) {
                    case SCALAR, U32, I32, U64 -> "integer";
                    case SIZE -> "number of bytes, elements or rows";
                    case ADDRESS -> "address of the GPU";
                    case FLOAT -> "float";
                    case DEVICE -> "ordinal of the device";
                    case AREA -> "offset in the data area";
                    case STRING -> "UTF-8 text, at most " + operand.maxBytes() + " bytes";
                    case BYTES ->
                            (operand.isFixed() ? "exactly " : "at most ")
                                    + operand.maxBytes()
                                    + " bytes";
                    default -> "handle of the " + operand.kind().word();
                };
        String rule =
                operand.checks().stream()
                        .map(check -> ", " + check.description())
                        .collect(Collectors.joining());
        return meaning + (operand.isNew() ? ", which the call creates" : "") + rule;
    }

    /// Returns components or parameters of a record: `long context, long bytes`.
    static String components(List<ApiOperand> operands) {
        return operands.stream()
                .map(operand -> component(operand) + " " + operand.name())
                .collect(Collectors.joining(", "));
    }

    private static String component(ApiOperand operand) {
        return operand.isWord() ? operand.type().javaType() : "ByteBuffer";
    }

    /// Returns the parameters of a handler's method: sequence number, reply, operands. Bytes are an
    /// offset and a length in the arguments.
    static String handlerParameters(ApiFunction function) {
        List<String> parameters = new ArrayList<>(List.of("long sequence"));
        if (!function.results().isEmpty()) {
            parameters.add("MemorySegment reply");
        }
        if (!function.layout().blobs().isEmpty()) {
            parameters.add("MemorySegment arguments");
        }
        for (ApiOperand operand : function.operands()) {
            if (operand.isWord()) {
                parameters.add(operand.type().javaType() + " " + operand.name());
            } else {
                parameters.add("long " + operand.name() + "At");
                parameters.add("int " + operand.name() + "Bytes");
            }
        }
        return String.join(", ", parameters);
    }

    /// Returns the word of a value.
    static String word(ApiOperand operand) {
        return switch (operand.type()) {
            case U8, U16, U32 -> "Integer.toUnsignedLong(" + operand.name() + ")";
            case F32 -> "Integer.toUnsignedLong(Float.floatToRawIntBits(" + operand.name() + "))";
            default -> operand.name();
        };
    }

    /// Returns the value of a word.
    static String value(OperandType type, String word) {
        return switch (type) {
            case U64 -> word;
            case F32 -> "Float.intBitsToFloat((int) " + word + ")";
            default -> "(int) " + word;
        };
    }
}
