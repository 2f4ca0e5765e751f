package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.CallClass;
import io.gpuvm.cuda.api.table.ValueCheck;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/// Generator of a dictionary in the format of AFL and libFuzzer: tags of all opcodes, and values at
/// the limits of checks.
final class FuzzDictionary implements Generator {
    private static final int NO_REPLY = 1;
    private static final int SPILLED = 1 << 1;

    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.hash());
        for (ApiFunction function : table.functions()) {
            int tag = function.opcode() | flags(function) << Short.SIZE;
            text.format("%s=\"%s\"", function.name(), bytes(tag, Integer.BYTES));
        }
        Map<Long, String> limits = new LinkedHashMap<>();
        for (ApiFunction function : table.calls()) {
            function.operands().forEach(operand -> collect(limits, function, operand));
        }
        limits.forEach((value, name) -> text.format("%s=\"%s\"", name, bytes(value, Long.BYTES)));
        return text.toString();
    }

    private static int flags(ApiFunction function) {
        int noReply = function.callClass() == CallClass.NO_REPLY ? NO_REPLY : 0;
        return noReply | (function.layout().isSpilled() ? SPILLED : 0);
    }

    private static void collect(
            Map<Long, String> limits, ApiFunction function, ApiOperand operand) {
        String name = function.name() + "_" + operand.name();
        for (ValueCheck check : operand.checks()) {
            limits.putIfAbsent(check.first(), name + "_limit");
            limits.putIfAbsent(check.first() + 1, name + "_above");
            limits.putIfAbsent(check.last() + 1, name + "_last");
        }
        if (!operand.isWord()) {
            limits.putIfAbsent((long) operand.maxBytes(), name + "_bytes");
            limits.putIfAbsent(operand.maxBytes() + 1L, name + "_more_bytes");
        }
    }

    private static String bytes(long value, int count) {
        byte[] bytes =
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .array();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append("\\x%02x".formatted(bytes[i]));
        }
        return text.toString();
    }
}
