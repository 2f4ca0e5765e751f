package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiParameter;
import io.gpuvm.cuda.api.table.ApiSend;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.ApiVariant;
import io.gpuvm.cuda.api.table.OperandType;
import io.gpuvm.cuda.api.table.ValueCheck;
import io.gpuvm.cuda.api.table.ValueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Generator of the C source with the exported functions. Each function checks its parameters, then
/// calls the part by hand, or translates handles and sends the call.
final class CStubs implements Generator {
    private static final String LEGACY = "CU_STREAM_LEGACY";
    private static final String PER_THREAD = "CU_STREAM_PER_THREAD";

    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.c());
        text.line("#define _POSIX_C_SOURCE 200809L").blank();
        text.line("#include <string.h>").blank();
        text.line("#include \"gpuvm_cuda_senders.h\"").blank();
        for (ApiFunction function : table.cudaFunctions()) {
            shared(text, table, function);
            function.variants().stream()
                    .filter(variant -> variant.support().isLive())
                    .forEach(variant -> exported(text, function, variant));
        }
        return text.toString();
    }

    private static void shared(SourceText text, ApiTable table, ApiFunction function) {
        text.line(CSignatures.shared(function)).open("{");
        for (ApiParameter parameter : function.parameters()) {
            if (parameter.mustNotBeNull()) {
                refuseIf(text, parameter.name() + " == NULL");
            }
            for (ValueCheck check : parameter.checks()) {
                refuseIf(text, violation(table, parameter, check));
            }
        }
        if (function.isByHand()) {
            byHand(text, function);
        } else {
            send(text, table, function);
        }
        text.close("}").blank();
    }

    private static void refuseIf(SourceText text, String condition) {
        text.open("if (" + condition + ")").line("return CUDA_ERROR_INVALID_VALUE;").dedent();
    }

    private static String violation(ApiTable table, ApiParameter parameter, ValueCheck check) {
        String name = parameter.name();
        boolean isSigned = table.types().wireType(parameter.baseType()) == OperandType.I32;
        return switch (check.kind()) {
            case NONZERO -> name + " == 0";
            case ZERO -> name + " != 0";
            case MIN -> name + " < " + check.first();
            case RANGE -> {
                String above = name + " > " + check.last();
                boolean hasNoLess = check.first() == 0 && !isSigned;
                yield hasNoLess ? above : name + " < " + check.first() + " || " + above;
            }
            case MULTIPLE -> name + " % " + check.first() + " != 0";
            case MASK -> "(%s & ~0x%xu) != 0".formatted(name, check.first());
        };
    }

    private static void byHand(SourceText text, ApiFunction function) {
        List<String> arguments = new ArrayList<>();
        for (ApiParameter parameter : function.parameters()) {
            arguments.add(argument(function, parameter));
        }
        if (function.takesDefaultStream()) {
            arguments.add("defaultStream");
        }
        text.format(
                "return %s(%s);", CSignatures.byHandName(function), String.join(", ", arguments));
    }

    private static String argument(ApiFunction function, ApiParameter parameter) {
        boolean hasDefault = function.hasTwin() && parameter.equals(function.streamParameter());
        String name = parameter.name();
        return hasDefault ? "%s == NULL ? defaultStream : %s".formatted(name, name) : name;
    }

    private static void send(SourceText text, ApiTable table, ApiFunction function) {
        ApiSend send =
                function.sends().isEmpty()
                        ? new ApiSend(function.name(), Map.of())
                        : function.sends().getFirst();
        ApiFunction target = table.function(send.function());
        List<String> arguments = new ArrayList<>();
        text.line("CUresult outcome;");
        for (ApiOperand operand : target.operands()) {
            Long constant = send.constants().get(operand.name());
            ApiParameter source = parameter(function, operand.name());
            if (constant != null) {
                arguments.add(constant.toString());
            } else if (operand.isCurrent() && source == null) {
                handle(text, operand, "gpuvm_current_context(&%sHandle)");
                arguments.add(operand.name() + "Handle");
            } else if (operand.kind().isTravellingHandle()) {
                String value = source == null ? "defaultStream" : argument(function, source);
                String call = "gpuvm_wire_" + operand.kind().word() + "(" + value + ", &%sHandle)";
                handle(text, operand, call);
                arguments.add(operand.name() + "Handle");
            } else if (operand.kind() == ValueKind.STRING) {
                string(text, operand);
                arguments.add(operand.name());
                arguments.add(operand.name() + "Bytes");
            } else {
                arguments.add(operand.name());
            }
        }
        for (ApiOperand result : target.results()) {
            text.format("%s %sResult = 0;", result.type().cType(), result.name());
            arguments.add("&" + result.name() + "Result");
        }
        text.format(
                "outcome = gpuvm_send_%s(%s);", target.shortName(), String.join(", ", arguments));
        target.results().forEach(result -> store(text, parameter(function, result.name())));
        text.line("return outcome;");
    }

    private static ApiParameter parameter(ApiFunction function, String name) {
        return function.parameters().stream()
                .filter(parameter -> parameter.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static void handle(SourceText text, ApiOperand operand, String call) {
        text.format("uint64_t %sHandle;", operand.name());
        text.format("outcome = " + call + ";", operand.name());
        text.open("if (outcome != CUDA_SUCCESS)").line("return outcome;").dedent();
    }

    private static void string(SourceText text, ApiOperand operand) {
        String name = operand.name();
        text.format("size_t %sBytes = strnlen(%s, %d);", name, name, operand.maxBytes() + 1);
    }

    private static void store(SourceText text, ApiParameter parameter) {
        String name = parameter.name();
        String isWanted = parameter.isOptional() ? " && " + name + " != NULL" : "";
        text.open("if (outcome == CUDA_SUCCESS" + isWanted + ")");
        text.format("*%s = (%s)%sResult;", name, parameter.baseType(), name);
        text.dedent();
    }

    private static void exported(SourceText text, ApiFunction function, ApiVariant variant) {
        exported(text, function, variant.symbol(), LEGACY);
        if (variant.hasTwin()) {
            exported(text, function, variant.twinSymbol(), PER_THREAD);
        }
    }

    private static void exported(
            SourceText text, ApiFunction function, String symbol, String defaultStream) {
        List<String> arguments = new ArrayList<>();
        function.parameters().stream().map(ApiParameter::name).forEach(arguments::add);
        if (function.hasTwin()) {
            arguments.add(defaultStream);
        }
        String opcode = GeneratedNames.cOpcode(function);
        text.line(CSignatures.exported(function, symbol)).open("{");
        text.format(
                "CUresult outcome = %s(%s);",
                function.isAnytime() ? "gpuvm_enter_anytime" : "gpuvm_enter", opcode);
        text.open("if (outcome == CUDA_SUCCESS)");
        text.format("outcome = run_%s(%s);", function.shortName(), String.join(", ", arguments));
        text.dedent();
        text.format("return gpuvm_leave(%s, outcome);", opcode);
        text.close("}").blank();
    }
}
