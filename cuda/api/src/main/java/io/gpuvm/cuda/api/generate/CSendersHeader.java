package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.CallClass;
import io.gpuvm.cuda.api.table.OperandType;
import io.gpuvm.cuda.api.table.WireLayout;
import java.util.ArrayList;
import java.util.List;

/// Generator of the C header with two functions for each call: `gpuvm_fill_NAME` begins a message
/// and stores its operands; `gpuvm_send_NAME` also submits the message, and waits for the results
/// of calls that have a reply.
final class CSendersHeader implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.c());
        text.line("#ifndef GPUVM_CUDA_SENDERS_H").line("#define GPUVM_CUDA_SENDERS_H").blank();
        text.line("#include \"gpuvm_cuda_api.h\"").blank();
        for (ApiFunction function : table.calls()) {
            fill(text, function);
            send(text, function);
        }
        return text.line("#endif").toString();
    }

    private static void fill(SourceText text, ApiFunction function) {
        WireLayout layout = function.layout();
        List<String> parameters = new ArrayList<>(List.of("struct gpuvm_message *message"));
        parameters.addAll(CSignatures.operands(function));
        text.line("static inline CUresult gpuvm_fill_" + function.shortName());
        text.format("    %s", CSignatures.list(parameters));
        text.open("{");
        for (ApiOperand blob : layout.blobs()) {
            if (!blob.isFixed()) {
                text.open("if (%sBytes > %d)".formatted(blob.name(), blob.maxBytes()));
                text.line("return CUDA_ERROR_INVALID_VALUE;");
                text.dedent();
            }
        }
        text.format(
                "CUresult outcome = gpuvm_begin(message, %s, %s, %s);",
                GeneratedNames.cOpcode(function), flags(function), argumentBytes(layout));
        text.open("if (outcome != CUDA_SUCCESS)").line("return outcome;").dedent();
        words(text, layout);
        blobs(text, layout);
        text.line("return CUDA_SUCCESS;");
        text.close("}").blank();
    }

    private static String flags(ApiFunction function) {
        List<String> flags = new ArrayList<>();
        if (function.callClass() == CallClass.NO_REPLY) {
            flags.add("GPUVM_NO_REPLY");
        }
        if (function.layout().isSpilled()) {
            flags.add("GPUVM_SPILLED");
        }
        return flags.isEmpty() ? "0" : String.join(" | ", flags);
    }

    private static String argumentBytes(WireLayout layout) {
        StringBuilder bytes = new StringBuilder(String.valueOf(layout.spilledWords() * Long.BYTES));
        for (ApiOperand blob : layout.blobs()) {
            bytes.append(" + gpuvm_bytes_length(").append(length(blob)).append(")");
        }
        return bytes.toString();
    }

    private static String length(ApiOperand blob) {
        return blob.isFixed() ? String.valueOf(blob.maxBytes()) : blob.name() + "Bytes";
    }

    private static void words(SourceText text, WireLayout layout) {
        List<ApiOperand> words = layout.words();
        for (int i = 0; i < words.size(); i++) {
            WireLayout.Place place = layout.placeOf(i);
            int base = place.isInEntry() ? WireLayout.OPERANDS_OFFSET : 0;
            text.format(
                    "message->%s[%d] = %s;",
                    place.isInEntry() ? "operands" : "arguments",
                    (place.offset() - base) / Long.BYTES,
                    word(words.get(i)));
        }
    }

    private static void blobs(SourceText text, WireLayout layout) {
        if (layout.blobs().isEmpty()) {
            return;
        }
        text.format("uint64_t *next = message->arguments + %d;", layout.spilledWords());
        for (ApiOperand blob : layout.blobs()) {
            text.format(
                    "next = gpuvm_put_bytes(message, next, %s, %s);", blob.name(), length(blob));
        }
    }

    private static String word(ApiOperand operand) {
        return switch (operand.type()) {
            case I32 -> "(uint64_t)(int64_t)" + operand.name();
            case F32 -> "gpuvm_float_word(" + operand.name() + ")";
            default -> operand.name();
        };
    }

    private static void send(SourceText text, ApiFunction function) {
        List<String> parameters = new ArrayList<>(CSignatures.operands(function));
        parameters.addAll(CSignatures.results(function));
        List<String> arguments = new ArrayList<>(List.of("&message"));
        for (ApiOperand operand : function.operands()) {
            arguments.add(operand.name());
            if (!operand.isWord() && !operand.isFixed()) {
                arguments.add(operand.name() + "Bytes");
            }
        }
        text.line("static inline CUresult gpuvm_send_" + function.shortName());
        text.format("    %s", CSignatures.list(parameters));
        text.open("{");
        text.line("struct gpuvm_message message;");
        text.format(
                "CUresult outcome = gpuvm_fill_%s(%s);",
                function.shortName(), String.join(", ", arguments));
        text.open("if (outcome != CUDA_SUCCESS)").line("return outcome;").dedent();
        if (!function.callClass().hasReply()) {
            text.line("return gpuvm_submit(&message);");
        } else {
            text.line("outcome = gpuvm_complete(&message);");
            results(text, function.results());
            text.line("return outcome;");
        }
        text.close("}").blank();
    }

    private static void results(SourceText text, List<ApiOperand> results) {
        for (int i = 0; i < results.size(); i++) {
            ApiOperand result = results.get(i);
            text.open("if (outcome == CUDA_SUCCESS && %s != NULL)".formatted(result.name()));
            text.format("*%s = %s;", result.name(), value(result.type(), i));
            text.dedent();
        }
    }

    private static String value(OperandType type, int index) {
        String word = "message.results[" + index + "]";
        return type == OperandType.F32
                ? "gpuvm_word_float(" + word + ")"
                : "(" + type.cType() + ")" + word;
    }
}
