package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.ValueCheck;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Generator of the documentation page of calls on the wire.
final class CallsPage implements Generator {
    private static final String INTRODUCTION =
            """
            # CUDA calls

            Calls in the rings, with their operands and results in the order of the wire. A name in italics is a handle, which the client allocates; with
            `+`, the call creates it. Offsets are in the data area.

            | Opcode | Call | Class | Operands | Results |
            |---:|---|---|---|---|
            """;

    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.markdown()).raw(INTRODUCTION);
        for (ApiFunction function : table.calls()) {
            text.format(
                    "| %04x | %s | %s | %s | %s |",
                    function.opcode(),
                    function.name(),
                    function.callClass().word(),
                    list(function.operands()),
                    list(function.results()));
        }
        return text.toString();
    }

    private static String list(List<ApiOperand> operands) {
        return operands.stream().map(CallsPage::operand).collect(Collectors.joining(", "));
    }

    private static String operand(ApiOperand operand) {
        if (operand.kind().isTravellingHandle()) {
            return "*%s*%s".formatted(operand.name(), operand.isNew() ? "+" : "");
        }
        String limit =
                operand.isWord() ? "" : (operand.isFixed() ? " " : " to ") + operand.maxBytes();
        String checks =
                operand.checks().stream()
                        .map(ValueCheck::description)
                        .map(description -> " (" + description + ")")
                        .collect(Collectors.joining());
        String type = operand.type().name().toLowerCase(Locale.ROOT);
        return operand.name() + " " + type + limit + checks;
    }
}
