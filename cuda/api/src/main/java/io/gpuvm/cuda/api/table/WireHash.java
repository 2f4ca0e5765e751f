package io.gpuvm.cuda.api.table;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.stream.Collectors;

/// Hash of the part of the table that the wire depends on: opcodes, operands and results. A client
/// and a backend with the same hash encode and decode all calls alike.
public final class WireHash {
    private WireHash() {}

    /// Returns the first eight bytes, little-endian, of the SHA-256 of [#text].
    public static long of(ApiTable table) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text(table).getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing", e);
        }
    }

    /// Returns one line for each call, in the order of opcodes: opcode, class, operands, results.
    /// Names are excluded, so that a renamed operand does not change the hash.
    static String text(ApiTable table) {
        return table.calls().stream()
                .sorted((a, b) -> Integer.compare(a.opcode(), b.opcode()))
                .map(call ->
                        "%04x %s (%s) (%s)\n"
                                .formatted(
                                        call.opcode(),
                                        call.callClass().word(),
                                        types(call.operands()),
                                        types(call.results())))
                .collect(Collectors.joining());
    }

    private static String types(Iterable<ApiOperand> operands) {
        StringBuilder text = new StringBuilder();
        for (ApiOperand operand : operands) {
            text.append(text.isEmpty() ? "" : " ").append(operand.type());
            if (!operand.isWord()) {
                text.append(operand.isFixed() ? "=" : "<=").append(operand.maxBytes());
            }
        }
        return text.toString();
    }
}
