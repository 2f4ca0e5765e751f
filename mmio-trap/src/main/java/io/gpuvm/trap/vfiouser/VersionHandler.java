package io.gpuvm.trap.vfiouser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.linux.FdSocket;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Handler of VERSION, the first message of a connection. Both sides announce their capabilities in
/// JSON.
///
/// ```
///   0       2       4
///  +-------+-------+-----------------
///  | major | minor | JSON, NUL ...
///  +-------+-------+-----------------
/// ```
///
/// QEMU requires version 0.0, and accepts a reply that is no longer than its own request: 194 bytes
/// of JSON.
final class VersionHandler implements CommandHandler {
    private static final int BYTES = 4;

    /// Maximum length of the body. A parsed document occupies many times the memory of its text.
    private static final int MAX_BYTES = 64 * 1024;

    private static final int MAJOR = 0;
    private static final int SPOKEN_MAJOR = 0;
    private static final int MAX_CLIENT_DESCRIPTORS = 1024;
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED;

    private static final String CAPABILITIES = "capabilities";
    private static final String MIGRATION = "migration";
    private static final String WRITE_MULTIPLE = "write_multiple";

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private boolean negotiated;

    /// Returns whether the first message of this connection has been accepted.
    boolean negotiated() {
        return negotiated;
    }

    /// Clears all state, for the next client.
    void clear() {
        negotiated = false;
    }

    @Override
    public int handle(Request request, Reply reply) {
        if (negotiated) {
            return request.refuse(Refusal.VERSION_AGAIN, "versions", 2, 1);
        }
        if (request.bodyBytes() < BYTES) {
            return request.refuse(Refusal.VERSION_BODY, "bytes", request.bodyBytes(), BYTES);
        }
        if (request.bodyBytes() > MAX_BYTES) {
            return request.refuse(Refusal.VERSION_BODY, "bytes", request.bodyBytes(), MAX_BYTES);
        }
        int major = Short.toUnsignedInt(request.buffer().get(U16, request.body() + MAJOR));
        if (major != SPOKEN_MAJOR) {
            return request.refuse(Refusal.VERSION_MAJOR, "major", major, SPOKEN_MAJOR);
        }
        if (!request.descriptors().isEmpty()) {
            return request.refuse(
                    Refusal.VERSION_DESCRIPTORS, "descriptors", request.descriptors().size(), 0);
        }
        JsonNode proposal = JSON.createObjectNode();
        if (request.bodyBytes() > BYTES) {
            proposal = parse(request);
            if (proposal == null || !checkCapabilities(request, proposal.path(CAPABILITIES))) {
                return Request.REFUSED;
            }
        }
        negotiated = true;
        return answer(proposal.path(CAPABILITIES), reply);
    }

    private static JsonNode parse(Request request) {
        byte[] text =
                request.buffer()
                        .asSlice(request.body() + BYTES, request.bodyBytes() - BYTES)
                        .toArray(ValueLayout.JAVA_BYTE);
        int last = text.length - 1;
        if (text[last] != 0) {
            request.refuse(Refusal.VERSION_UNTERMINATED, "byte", text[last], 0);
            return null;
        }
        try {
            JsonNode root = JSON.readTree(Arrays.copyOf(text, last));
            if (root.isObject()) {
                return root;
            }
        } catch (IOException _) {
            // Refused below, like any other text that is not a JSON object.
        }
        request.refuse(Refusal.VERSION_JSON, "bytes", last, 0);
        return null;
    }

    private static boolean checkCapabilities(Request request, JsonNode capabilities) {
        if (capabilities.isMissingNode()) {
            return true;
        }
        return checkObject(request, capabilities, CAPABILITIES)
                && checkNumber(request, capabilities, "max_msg_fds", MAX_CLIENT_DESCRIPTORS)
                && checkNumber(request, capabilities, "max_data_xfer_size", Long.MAX_VALUE)
                && checkNumber(request, capabilities, "max_dma_maps", Long.MAX_VALUE)
                && checkPages(request, capabilities, "pgsizes")
                && checkBoolean(request, capabilities, WRITE_MULTIPLE)
                && checkMigration(request, capabilities.path(MIGRATION));
    }

    private static boolean checkMigration(Request request, JsonNode migration) {
        if (migration.isMissingNode()) {
            return true;
        }
        return checkObject(request, migration, MIGRATION)
                && checkPages(request, migration, "pgsize")
                && checkNumber(request, migration, "max_bitmap_size", Long.MAX_VALUE);
    }

    private static boolean checkObject(Request request, JsonNode node, String name) {
        if (!node.isObject()) {
            request.refuse(Refusal.VERSION_CAPABILITY, name, 0, 0);
            return false;
        }
        return true;
    }

    private static boolean checkNumber(Request request, JsonNode object, String name, long limit) {
        long value = number(object.path(name), 0);
        if (value < 0 || value > limit) {
            request.refuse(Refusal.VERSION_CAPABILITY, name, value, limit);
            return false;
        }
        return true;
    }

    private static boolean checkPages(Request request, JsonNode object, String name) {
        long value = number(object.path(name), Limits.PAGE_BYTES);
        if (value <= 0 || value % Limits.PAGE_BYTES != 0) {
            request.refuse(Refusal.VERSION_CAPABILITY, name, value, Limits.PAGE_BYTES);
            return false;
        }
        return true;
    }

    /// Returns the value of a node, -1 if the node is not an integer, or `ifMissing` if it is
    /// missing.
    private static long number(JsonNode node, long ifMissing) {
        if (node.isMissingNode()) {
            return ifMissing;
        }
        return node.isIntegralNumber() && node.canConvertToLong() ? node.longValue() : -1;
    }

    private static boolean checkBoolean(Request request, JsonNode object, String name) {
        JsonNode node = object.path(name);
        if (!node.isMissingNode() && !node.isBoolean()) {
            request.refuse(Refusal.VERSION_CAPABILITY, name, 0, 1);
            return false;
        }
        return true;
    }

    /// Writes the capabilities of this server; announces packed writes only to a client that
    /// supports them.
    private static int answer(JsonNode proposed, Reply reply) {
        ObjectNode root = JSON.createObjectNode();
        ObjectNode capabilities = root.putObject(CAPABILITIES);
        capabilities.put("max_msg_fds", FdSocket.MAX_RECEIVED);
        capabilities.put("max_data_xfer_size", Limits.TRANSFER_BYTES);
        capabilities.put("max_dma_maps", Limits.DMA_RANGES);
        capabilities.put("pgsizes", Limits.PAGE_BYTES);
        if (proposed.path(WRITE_MULTIPLE).asBoolean(false)) {
            capabilities.put(WRITE_MULTIPLE, true);
        }
        byte[] text;
        try {
            text = JSON.writeValueAsBytes(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
        MemorySegment buffer = reply.buffer();
        long at = reply.body();
        buffer.asSlice(at, BYTES).fill((byte) 0);
        MemorySegment.copy(text, 0, buffer, ValueLayout.JAVA_BYTE, at + BYTES, text.length);
        buffer.set(ValueLayout.JAVA_BYTE, at + BYTES + text.length, (byte) 0);
        return BYTES + text.length + 1;
    }
}
