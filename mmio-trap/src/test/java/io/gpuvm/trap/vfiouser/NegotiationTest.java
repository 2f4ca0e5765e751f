package io.gpuvm.trap.vfiouser;

import static io.gpuvm.trap.vfiouser.RawVfioUserClient.body;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.empty;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.ints;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.version;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.linux.Errno;
import io.gpuvm.linux.EventFd;
import io.gpuvm.tests.support.OpenDescriptors;
import io.gpuvm.trap.vfiouser.RawVfioUserClient.Answer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NegotiationTest {
    private static final int VERSION = 1;
    private static final int EINVAL = Errno.EINVAL.number();

    /// Capacity of QEMU's buffer for JSON: QEMU's request has 214 bytes, of which 16 are the header
    /// and 4 the version.
    private static final int QEMU_JSON_BYTES = 194;

    private final TestServer server = new TestServer();
    private final RawVfioUserClient client = server.connect();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void givenQemuProposal_whenAnswered_thenVersionIsZeroAndCapabilitiesFitQemuBuffer()
            throws Exception {
        Answer answer =
                client.done(
                        VERSION,
                        version(
                                "{\"capabilities\": {\"pgsizes\": 4096, \"max_msg_fds\": 16,"
                                        + " \"max_dma_maps\": 65535, \"max_data_xfer_size\": 1048576,"
                                        + " \"migration\": {\"max_bitmap_size\": 268435456,"
                                        + " \"pgsize\": 4096}, \"write_multiple\": true}}"));
        assertEquals(0, answer.int32(0), "major and minor");
        JsonNode capabilities = capabilities(answer);
        assertEquals(16, capabilities.get("max_msg_fds").intValue());
        assertEquals(1 << 20, capabilities.get("max_data_xfer_size").intValue());
        assertEquals(4096, capabilities.get("pgsizes").intValue());
        assertEquals(20_480, capabilities.get("max_dma_maps").intValue());
        assertTrue(capabilities.get("write_multiple").booleanValue());
        assertTrue(answer.body().limit() - 4 <= QEMU_JSON_BYTES);
    }

    @Test
    void givenNoJson_whenAnswered_thenProposalIsAccepted() throws Exception {
        Answer answer = client.done(VERSION, ints(0));
        assertEquals(16, capabilities(answer).get("max_msg_fds").intValue());
    }

    @Test
    void givenClientWithoutPackedWrites_whenAnswered_thenPackingIsNotOffered() throws Exception {
        Answer answer = client.done(VERSION, version("{}"));
        assertFalse(capabilities(answer).has("write_multiple"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"capabilities\": {}}",
                "{\"capabilities\": {\"max_msg_fds\": 1024}}",
                "{\"capabilities\": {\"max_msg_fds\": 0}}",
                "{\"capabilities\": {\"max_data_xfer_size\": 9223372036854775807}}",
                "{\"capabilities\": {\"migration\": {\"pgsize\": 8192}}}",
                "{\"capabilities\": {\"twin_socket\": {\"supported\": true}}}",
                "{\"something\": [1, 2, 3]}"
            })
    void givenValidProposal_whenSent_thenProposalIsAccepted(String json) {
        client.done(VERSION, version(json));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "\"",
                "[]",
                "7",
                "null",
                "{} {}",
                "{\"capabilities\": \"all\"}",
                "{\"capabilities\": []}",
                "{\"capabilities\": {\"max_msg_fds\": \"8\"}}",
                "{\"capabilities\": {\"max_msg_fds\": 8.0}}",
                "{\"capabilities\": {\"max_msg_fds\": -1}}",
                "{\"capabilities\": {\"max_msg_fds\": 1025}}",
                "{\"capabilities\": {\"max_msg_fds\": 99999999999999999999999}}",
                "{\"capabilities\": {\"max_msg_fds\": null}}",
                "{\"capabilities\": {\"max_data_xfer_size\": -1}}",
                "{\"capabilities\": {\"max_data_xfer_size\": true}}",
                "{\"capabilities\": {\"max_dma_maps\": {}}}",
                "{\"capabilities\": {\"pgsizes\": 0}}",
                "{\"capabilities\": {\"pgsizes\": 2048}}",
                "{\"capabilities\": {\"migration\": \"yes\"}}",
                "{\"capabilities\": {\"migration\": {\"pgsize\": \"4096\"}}}",
                "{\"capabilities\": {\"migration\": {\"pgsize\": 4095}}}",
                "{\"capabilities\": {\"migration\": {\"max_bitmap_size\": \"1\"}}}",
                "{\"capabilities\": {\"write_multiple\": 1}}"
            })
    void givenInvalidProposal_whenSent_thenProposalIsRefusedAndConnectionIsClosed(String json) {
        refusedAndClosed(version(json));
    }

    @Test
    void givenDeeplyNestedJson_whenSent_thenProposalIsRefusedAndConnectionIsClosed() {
        refusedAndClosed(version("[".repeat(60_000)));
    }

    @Test
    void givenJsonAboveLimit_whenSent_thenProposalIsRefusedAndConnectionIsClosed() {
        refusedAndClosed(version("{\"a\": [" + "{},".repeat(30_000) + "{}]}"));
        assertEquals(1, server.counters().refused(Refusal.VERSION_BODY));
    }

    @Test
    void givenNoNulAfterJson_whenSent_thenProposalIsRefusedAndConnectionIsClosed() {
        byte[] text = "{}".getBytes(StandardCharsets.UTF_8);
        refusedAndClosed(body(4 + text.length, b -> b.putInt(0).put(text)));
        assertEquals(1, server.counters().refused(Refusal.VERSION_UNTERMINATED));
    }

    @Test
    void givenNoBody_whenSent_thenProposalIsRefusedAndConnectionIsClosed() {
        refusedAndClosed(empty());
    }

    @Test
    void givenPartialVersion_whenSent_thenProposalIsRefusedAndConnectionIsClosed() {
        refusedAndClosed(body(2, b -> b.putShort((short) 0)));
    }

    @Test
    void givenOtherMajorVersion_whenSent_thenProposalIsRefusedAndConnectionIsClosed() {
        refusedAndClosed(ints(999));
        assertEquals(1, server.counters().refused(Refusal.VERSION_MAJOR));
    }

    @Test
    void givenHigherMinorVersion_whenAnswered_thenMinorZeroIsSelected() {
        assertEquals(0, client.done(VERSION, ints(2 << 16)).int32(0));
    }

    @Test
    void givenDescriptor_whenSent_thenConnectionIsClosedAndNoDescriptorLeaks() {
        int before = OpenDescriptors.count();
        try (EventFd event = EventFd.create()) {
            client.refused(EINVAL, VERSION, version("{}"), event.descriptor());
            client.expectClosed();
        }
        server.settle();
        assertTrue(OpenDescriptors.count() <= before);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 9, 13, 15, 999})
    void givenFirstMessageOtherThanVersion_whenSent_thenMessageIsRefusedAndConnectionIsClosed(
            int command) {
        client.refused(EINVAL, command, ints(16, 0, 0, 0));
        client.expectClosed();
        assertEquals(1, server.counters().refused(Refusal.VERSION_MISSING));
    }

    @Test
    void givenPostedWriteAsFirstMessage_whenSent_thenConnectionIsClosedWithoutReply() {
        client.send(10, RawVfioUserClient.NO_REPLY, RawVfioUserClient.write(0, 0, (byte) 1));
        client.expectClosed();
    }

    @Test
    void givenSecondVersion_whenSent_thenMessageIsRefusedAndConnectionRemains() {
        client.negotiate();
        client.refused(EINVAL, VERSION, version("{}"));
        client.expectNoReplyBefore();
    }

    private void refusedAndClosed(ByteBuffer body) {
        client.refused(EINVAL, VERSION, body);
        client.expectClosed();
        assertEquals(1, server.counters().refused());
    }

    private static JsonNode capabilities(Answer answer) throws Exception {
        String text = answer.text(4);
        assertEquals('\0', text.charAt(text.length() - 1));
        return new ObjectMapper()
                .readTree(text.substring(0, text.length() - 1))
                .get("capabilities");
    }
}
