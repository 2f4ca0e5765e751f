package io.gpuvm.trap.vfiouser;

import static io.gpuvm.trap.vfiouser.RawVfioUserClient.access;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.empty;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.ints;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.message;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.Errno;
import io.gpuvm.linux.EventFd;
import io.gpuvm.tests.support.OpenDescriptors;
import io.gpuvm.trap.vfiouser.RawVfioUserClient.Answer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestErrorsTest {
    private static final int EINVAL = Errno.EINVAL.number();
    private static final int REPLY_TYPE = 1;
    private static final int SET_IRQS = 8;

    private final TestServer server = new TestServer();
    private final RawVfioUserClient client = server.client();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void givenSizeBelowHeader_whenSent_thenMessageIsRefusedAndConnectionIsClosed() {
        client.sendBytes(headerWithSize(15));
        assertEquals(EINVAL, client.receive().error());
        client.expectClosed();
        assertEquals(1, server.counters().refused(Refusal.MESSAGE_TOO_SHORT));
    }

    @ParameterizedTest
    @ValueSource(ints = {(1 << 20) + 33, Integer.MAX_VALUE, -1})
    void givenSizeAboveLongestMessage_whenSent_thenMessageIsRefusedAndConnectionIsClosed(int size) {
        client.sendBytes(headerWithSize(size));
        assertEquals(EINVAL, client.receive().error());
        client.expectClosed();
        assertEquals(1, server.counters().refused(Refusal.MESSAGE_TOO_LONG));
    }

    @Test
    void givenUnsolicitedReply_whenSent_thenMessageIsRefusedAndConnectionRemains() {
        client.send(11, REPLY_TYPE, ints(16, 0, 0, 0));
        assertEquals(EINVAL, client.receive().error());
        client.expectNoReplyBefore();
        assertEquals(1, server.counters().refused(Refusal.NOT_A_COMMAND));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 19, 255, 65535})
    void givenUnknownCommand_whenSent_thenMessageIsRefusedAndConnectionRemains(int command) {
        client.refused(EINVAL, command, RawVfioUserClient.body(1, b -> b.put((byte) 0)));
        client.expectNoReplyBefore();
        assertEquals(1, server.counters().refused(Refusal.UNKNOWN_COMMAND));
    }

    @ParameterizedTest
    @ValueSource(ints = {11, 12, 14, 17, 18})
    void givenUnsupportedCommand_whenSent_thenMessageIsRefusedAsUnsupported(int command) {
        client.refused(Errno.ENOTSUP.number(), command, ints(0, 0, 0, 0, 0, 0));
        client.expectNoReplyBefore();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16})
    void givenNoBody_whenSent_thenMessageIsRefused(int command) {
        client.refused(EINVAL, command, empty());
        assertEquals(1, server.counters().refused(Refusal.BODY_TOO_SHORT));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16})
    void givenBodyOfOneByte_whenSent_thenMessageIsRefused(int command) {
        client.refused(EINVAL, command, RawVfioUserClient.body(1, b -> b.put((byte) 0)));
        assertEquals(1, server.counters().refused(Refusal.BODY_TOO_SHORT));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 15, 16, 19})
    void givenInvalidMessageThatRequestsNoReply_whenSent_thenNoReplyIsSent(int command) {
        client.send(command, RawVfioUserClient.NO_REPLY, RawVfioUserClient.body(1, _ -> {}));
        client.expectNoReplyBefore();
        assertEquals(1, server.counters().refused());
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 7, 13})
    void givenValidMessageThatRequestsNoReply_whenSent_thenNoReplyIsSent(int command) {
        ByteBuffer body = command == 13 ? empty() : ints(32, 0, 0, 0, 0, 0, 0, 0);
        client.send(command, RawVfioUserClient.NO_REPLY, body);
        client.expectNoReplyBefore();
        assertEquals(0, server.counters().refused());
    }

    @Test
    void givenRefusedMessageWithDescriptors_whenHandled_thenDescriptorsAreClosed() {
        int before = OpenDescriptors.count();
        try (EventFd one = EventFd.create();
                EventFd two = EventFd.create()) {
            ByteBuffer tooShort = ints(20, 0x24, 1);
            client.refused(EINVAL, SET_IRQS, tooShort, one.descriptor(), two.descriptor());
        }
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void givenUnexpectedDescriptors_whenHandled_thenDescriptorsAreClosedAndCommandSucceeds() {
        int before = OpenDescriptors.count();
        try (EventFd event = EventFd.create()) {
            client.done(4, ints(16, 0, 0, 0), event.descriptor());
            client.done(9, access(0, 0, 4), event.descriptor(), event.descriptor());
        }
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void givenDescriptorsInMessageStream_whenHandled_thenDescriptorsBelongToCarryingMessage() {
        try (EventFd event = EventFd.create()) {
            byte[] write = message(1, 10, RawVfioUserClient.NO_REPLY, write(0, 0, (byte) 1));
            byte[] connect = message(2, SET_IRQS, 0, ints(20, 0x24, 1, 0, 1));
            client.sendBytes(write);
            client.sendBytes(concat(write, connect), event.descriptor());
            client.sendBytes(write);
            assertEquals(0, client.receive().error());
            assertTrue(server.device().signal(Irq.MSI, 0));
            assertEquals(1, event.drain());
            client.expectNoReplyBefore();
            assertEquals(3, server.counters().postedWrites());
        }
    }

    @Test
    void givenSplitMessage_whenDescriptorAccompaniesFirstPart_thenMessageHasDescriptor() {
        try (EventFd event = EventFd.create()) {
            byte[] connect = message(2, SET_IRQS, 0, ints(20, 0x24, 1, 0, 1));
            client.sendBytes(slice(connect, 0, 5), event.descriptor());
            server.settle();
            client.sendBytes(slice(connect, 5, 20));
            server.settle();
            client.sendBytes(slice(connect, 20, connect.length));
            assertEquals(0, client.receive().error());
            assertEquals(List.of("connect MSI 0"), server.device().takeCalls());
        }
    }

    @Test
    void givenSplitSecondMessage_whenDescriptorAccompaniesFirstPart_thenMessageHasDescriptor() {
        try (EventFd event = EventFd.create()) {
            byte[] write = message(1, 10, RawVfioUserClient.NO_REPLY, write(0, 0, new byte[512]));
            byte[] connect = message(2, SET_IRQS, 0, ints(20, 0x24, 1, 0, 1));
            client.sendBytes(concat(write, slice(connect, 0, 20)), event.descriptor());
            server.settle();
            client.sendBytes(slice(connect, 20, connect.length));
            assertEquals(0, client.receive().error());
            assertEquals(List.of("connect MSI 0"), server.device().takeCalls());
        }
    }

    @Test
    void givenSplitMessage_whenDescriptorsAccompanyTwoParts_thenConnectionIsClosedWithoutLeak() {
        int before = OpenDescriptors.count();
        try (EventFd event = EventFd.create()) {
            byte[] connect = message(2, SET_IRQS, 0, ints(20, 0x24, 1, 0, 1));
            client.sendBytes(slice(connect, 0, 20), event.descriptor());
            server.settle();
            client.sendBytes(slice(connect, 20, connect.length), event.descriptor());
            client.expectClosed();
        }
        assertEquals(1, server.counters().refused(Refusal.DESCRIPTORS_TWICE));
        assertEquals(before - 1, OpenDescriptors.count());
    }

    @Test
    void givenMessageSentByteByByte_whenReceived_thenMessageIsHandled() {
        byte[] read = message(7, 9, 0, access(0, 0, 4));
        for (int i = 0; i < read.length; i++) {
            client.sendBytes(slice(read, i, i + 1));
            server.settle();
        }
        Answer answer = client.receive();
        assertEquals(7, answer.id());
        assertEquals(0, answer.error());
    }

    @Test
    void givenLongestMessage_whenSent_thenMessageIsHandled() {
        byte[] data = new byte[1 << 20];
        client.refused(EINVAL, 10, write(0, 0, data));
        assertEquals(1, server.counters().refused(Refusal.REGION_RANGE));
        client.expectNoReplyBefore();
    }

    @Test
    void givenAnyIdAndErrorFlagInRequest_whenAnswered_thenIdIsEchoed() {
        for (int id : new int[] {0, 1, 0x7fff, 0x8000, 0xffff}) {
            client.sendBytes(message(id, 4, RawVfioUserClient.ERROR, ints(16, 0, 0, 0)));
            assertEquals(id, client.receive().id());
        }
    }

    @Test
    void givenThrowingDevice_whenRead_thenErrorIsReportedAndServerContinues() {
        server.device().failReads(true);
        client.refused(Errno.EIO.number(), 9, access(0, 0, 4));
        server.device().failReads(false);
        client.done(9, access(0, 0, 4));
    }

    private static byte[] headerWithSize(int size) {
        ByteBuffer header = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        return header.putShort((short) 1).putShort((short) 4).putInt(size).array();
    }

    private static byte[] slice(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    private static byte[] concat(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
    }
}
