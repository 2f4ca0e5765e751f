package io.gpuvm.trap.vfiouser;

import static io.gpuvm.trap.vfiouser.RawVfioUserClient.body;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.ints;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.Errno;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.MemFd;
import io.gpuvm.tests.support.OpenDescriptors;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SetIrqsTest {
    private static final int SET_IRQS = 8;
    private static final int EINVAL = Errno.EINVAL.number();
    private static final int ENOTSUP = Errno.ENOTSUP.number();

    private static final int INTX = 0;
    private static final int MSI = 1;
    private static final int ERR = 3;
    private static final int REQ = 4;

    private static final int NONE = 1;
    private static final int BOOL = 2;
    private static final int EVENTFD = 4;
    private static final int MASK = 8;
    private static final int UNMASK = 0x10;
    private static final int TRIGGER = 0x20;

    private final TestServer server = new TestServer();
    private final RawVfioUserClient client = server.client();
    private final EventFd[] events = new EventFd[FakeDevice.VECTORS];
    private int descriptorsBefore;

    @BeforeEach
    void open() {
        for (int i = 0; i < events.length; i++) {
            events[i] = EventFd.create();
        }
        descriptorsBefore = OpenDescriptors.count();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        for (EventFd event : events) {
            event.close();
        }
    }

    @Test
    void givenEventFd_whenConnectedAndSignalled_thenCounterIncrements() {
        client.done(SET_IRQS, set(TRIGGER | EVENTFD, MSI, 3, 1), events[3].descriptor());
        assertEquals(List.of("connect MSI 3"), server.device().takeCalls());
        assertTrue(server.device().signal(Irq.MSI, 3));
        assertEquals(1, events[3].drain());
        assertEquals(descriptorsBefore + 1, OpenDescriptors.count());
    }

    @Test
    void givenManyVectors_whenConnectedInChunks_thenEachVectorSignalsOwnEventFd() {
        client.done(SET_IRQS, set(TRIGGER | EVENTFD, MSI, 0, 16), descriptors(0, 16));
        client.done(SET_IRQS, set(TRIGGER | EVENTFD, MSI, 16, 8), descriptors(16, 24));
        for (int vector = 0; vector < FakeDevice.VECTORS; vector++) {
            assertTrue(server.device().signal(Irq.MSI, vector));
            for (int i = 0; i < events.length; i++) {
                assertEquals(i == vector ? 1 : 0, events[i].drain(), "vector " + vector);
            }
        }
    }

    @Test
    void givenConnectedVector_whenConnectedAgain_thenOldEventFdIsClosed() {
        client.done(SET_IRQS, set(TRIGGER | EVENTFD, MSI, 0, 1), events[0].descriptor());
        client.done(SET_IRQS, set(TRIGGER | EVENTFD, MSI, 0, 1), events[1].descriptor());
        assertTrue(server.device().signal(Irq.MSI, 0));
        assertEquals(0, events[0].drain());
        assertEquals(1, events[1].drain());
        assertEquals(descriptorsBefore + 1, OpenDescriptors.count());
    }

    @Test
    void givenConnectedVectors_whenOneVectorIsDisconnected_thenOtherVectorStaysConnected() {
        client.done(SET_IRQS, set(TRIGGER | EVENTFD, MSI, 0, 2), descriptors(0, 2));
        server.device().takeCalls();
        client.done(SET_IRQS, set(TRIGGER | EVENTFD, MSI, 1, 2));
        assertEquals(List.of("disconnect MSI 1"), server.device().takeCalls());
        assertEquals(descriptorsBefore + 1, OpenDescriptors.count());
    }

    @ParameterizedTest
    @ValueSource(ints = {INTX, MSI, ERR, REQ})
    void givenConnectedKind_whenDisabled_thenVectorIsDisconnectedAndNoDescriptorLeaks(int index) {
        client.done(SET_IRQS, set(TRIGGER | EVENTFD, index, 0, 1), events[0].descriptor());
        server.device().takeCalls();
        client.done(SET_IRQS, set(TRIGGER | NONE, index, 0, 0));
        assertEquals(List.of("disconnect " + Irq.of(index) + " 0"), server.device().takeCalls());
        assertEquals(descriptorsBefore, OpenDescriptors.count());
        client.done(SET_IRQS, set(TRIGGER | NONE, index, 0, 0));
        assertEquals(List.of(), server.device().takeCalls());
    }

    @Test
    void givenConnectedVectors_whenFiredByClient_thenOnlyFiredVectorsAreSignalled() {
        client.done(SET_IRQS, set(TRIGGER | EVENTFD, MSI, 0, 3), descriptors(0, 3));
        client.done(SET_IRQS, set(TRIGGER | NONE, MSI, 1, 1));
        assertEquals(List.of(0L, 1L, 0L), drained(3));
        client.done(SET_IRQS, withBytes(TRIGGER | BOOL, MSI, 0, 3, 1, 0, 1));
        assertEquals(List.of(1L, 0L, 1L), drained(3));
        client.done(SET_IRQS, set(TRIGGER | NONE, MSI, 3, 1));
    }

    @Test
    void givenIntx_whenMaskedAndUnmasked_thenDeviceIsInformed() {
        client.done(SET_IRQS, set(MASK | NONE, INTX, 0, 1));
        client.done(SET_IRQS, set(UNMASK | NONE, INTX, 0, 1));
        client.done(SET_IRQS, withBytes(MASK | BOOL, INTX, 0, 1, 1));
        client.done(SET_IRQS, withBytes(UNMASK | BOOL, INTX, 0, 1, 1));
        client.done(SET_IRQS, withBytes(MASK | BOOL, INTX, 0, 1, 0));
        client.done(SET_IRQS, withBytes(UNMASK | BOOL, INTX, 0, 1, 0));
        assertEquals(List.of("mask", "unmask", "mask", "unmask"), server.device().takeCalls());
    }

    @Test
    void givenResampleEventFd_whenSignalled_thenInterruptIsUnmasked() {
        client.done(SET_IRQS, set(UNMASK | EVENTFD, INTX, 0, 1), events[0].descriptor());
        assertEquals(List.of(), server.device().takeCalls());
        events[0].signal();
        server.look();
        assertEquals(List.of("unmask"), server.device().takeCalls());
        server.look();
        assertEquals(List.of(), server.device().takeCalls());
    }

    @Test
    void givenSemaphoreAsResampleEventFd_whenConnected_thenSemaphoreIsRefusedAndClosed() {
        try (Descriptor semaphore = Semaphore.of(Integer.MAX_VALUE)) {
            client.refused(EINVAL, SET_IRQS, set(UNMASK | EVENTFD, INTX, 0, 1), semaphore.number());
        }
        server.look();
        assertEquals(List.of(), server.device().takeCalls());
        assertEquals(1, server.counters().refused(Refusal.IRQ_SEMAPHORE));
        assertEquals(descriptorsBefore, OpenDescriptors.count());
    }

    @Test
    void givenSignalledResampleEventFd_whenConnected_thenInterruptIsUnmasked() {
        events[0].signal();
        client.done(SET_IRQS, set(UNMASK | EVENTFD, INTX, 0, 1), events[0].descriptor());
        server.look();
        assertEquals(List.of("unmask"), server.device().takeCalls());
        server.look();
        assertEquals(List.of(), server.device().takeCalls());
    }

    @Test
    void givenResampleEventFd_whenServerNeverParks_thenInterruptIsUnmasked() {
        client.done(SET_IRQS, set(UNMASK | EVENTFD, INTX, 0, 1), events[0].descriptor());
        events[0].signal();
        for (int i = 0; i < 1000; i++) {
            server.server().doWork();
        }
        assertEquals(List.of("unmask"), server.device().takeCalls());
    }

    @Test
    void givenResampleEventFd_whenReplacedRemovedOrDisabled_thenEventFdIsIgnoredAndClosed() {
        client.done(SET_IRQS, set(UNMASK | EVENTFD, INTX, 0, 1), events[0].descriptor());
        client.done(SET_IRQS, set(UNMASK | EVENTFD, INTX, 0, 1), events[1].descriptor());
        assertEquals(descriptorsBefore + 1, OpenDescriptors.count());
        client.done(SET_IRQS, set(UNMASK | EVENTFD, INTX, 0, 1));
        assertEquals(descriptorsBefore, OpenDescriptors.count());
        client.done(SET_IRQS, set(UNMASK | EVENTFD, INTX, 0, 1), events[2].descriptor());
        client.done(SET_IRQS, set(TRIGGER | NONE, INTX, 0, 0));
        assertEquals(descriptorsBefore, OpenDescriptors.count());
        for (EventFd event : events) {
            event.signal();
        }
        server.look();
        assertEquals(List.of(), server.device().takeCalls());
    }

    @Test
    void givenQemuWithKvm_whenIntxIsRouted_thenEveryStepIsAccepted() {
        client.done(SET_IRQS, set(TRIGGER | EVENTFD, INTX, 0, 1), events[0].descriptor());
        client.done(SET_IRQS, set(MASK | NONE, INTX, 0, 1));
        client.done(SET_IRQS, set(UNMASK | EVENTFD, INTX, 0, 1), events[1].descriptor());
        client.done(SET_IRQS, set(UNMASK | NONE, INTX, 0, 1));
        assertEquals(List.of("connect INTX 0", "mask", "unmask"), server.device().takeCalls());
    }

    @ParameterizedTest
    @CsvSource({
        // flags, index, start, count, reason
        "0x38, 1, 0, 1, IRQ_ACTION",
        "0x19, 0, 0, 1, IRQ_ACTION",
        "0x01, 1, 0, 1, IRQ_ACTION",
        "0x23, 1, 0, 1, IRQ_DATA_TYPE",
        "0x20, 1, 0, 1, IRQ_DATA_TYPE",
        "0x61, 1, 0, 1, IRQ_FLAGS",
        "0x21, 5, 0, 1, IRQ_INDEX",
        "0x21, -1, 0, 1, IRQ_INDEX",
        "0x21, 1, 23, 2, IRQ_RANGE",
        "0x21, 1, 24, 1, IRQ_RANGE",
        "0x21, 1, 25, 0, IRQ_RANGE",
        "0x21, 1, 0, -1, IRQ_RANGE",
        "0x21, 1, 1, -1, IRQ_RANGE",
        "0x21, 1, -1, 1, IRQ_RANGE",
        "0x24, 1, 0, 0x10000000, IRQ_RANGE",
        "0x21, 2, 0, 0, IRQ_RANGE",
        "0x21, 3, 0, 2, IRQ_RANGE",
        "0x21, 4, 0, 2, IRQ_RANGE",
        "0x21, 1, 1, 0, IRQ_COUNT_ZERO",
        "0x09, 0, 0, 0, IRQ_COUNT_ZERO",
        "0x22, 1, 0, 0, IRQ_COUNT_ZERO",
        "0x24, 1, 0, 0, IRQ_COUNT_ZERO",
        "0x09, 3, 0, 1, IRQ_NOT_MASKABLE",
        "0x09, 4, 0, 1, IRQ_NOT_MASKABLE",
        "0x11, 1, 0, 1, IRQ_NOT_MASKABLE",
        "0x22, 1, 0, 2, BODY_LENGTH_WRONG"
    })
    void givenInvalidRequest_whenSent_thenRequestIsRefusedAndReasonIsCounted(
            String flags, int index, int start, String count, Refusal reason) {
        ByteBuffer body = set(Integer.decode(flags), index, start, Long.decode(count).intValue());
        client.refused(EINVAL, SET_IRQS, body);
        assertEquals(1, server.counters().refused(reason));
        assertEquals(List.of(), server.device().takeCalls());
    }

    @Test
    void givenShortBody_whenSent_thenRequestIsRefused() {
        client.refused(EINVAL, SET_IRQS, ints(20, TRIGGER | NONE));
        client.refused(EINVAL, SET_IRQS, ints(3, TRIGGER | NONE, MSI, 0, 1));
        assertEquals(1, server.counters().refused(Refusal.BODY_TOO_SHORT));
        assertEquals(1, server.counters().refused(Refusal.ARGSZ_TOO_SMALL));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void givenWrongNumberOfBytes_whenSent_thenRequestIsRefused(int bytes) {
        client.refused(EINVAL, SET_IRQS, withBytes(TRIGGER | BOOL, MSI, 0, 2, new int[bytes]));
        assertEquals(1, server.counters().refused(Refusal.BODY_LENGTH_WRONG));
    }

    @Test
    void givenMismatchedDescriptors_whenSent_thenRequestIsRefusedAndDescriptorsAreClosed() {
        int one = events[0].descriptor();
        client.refused(EINVAL, SET_IRQS, withBytes(TRIGGER | BOOL, MSI, 0, 1, 1), one);
        client.refused(EINVAL, SET_IRQS, set(TRIGGER | NONE, MSI, 0, 1), one);
        client.refused(EINVAL, SET_IRQS, set(TRIGGER | NONE, MSI, 0, 0), one);
        client.refused(EINVAL, SET_IRQS, set(TRIGGER | EVENTFD, MSI, 0, 2), one);
        client.refused(EINVAL, SET_IRQS, set(TRIGGER | EVENTFD, MSI, 0, 1), descriptors(0, 2));
        assertEquals(5, server.counters().refused(Refusal.IRQ_DESCRIPTORS));
        assertEquals(descriptorsBefore, OpenDescriptors.count());
        assertFalse(server.device().signal(Irq.MSI, 0));
    }

    @Test
    void givenDescriptorOtherThanEventFd_whenSent_thenRequestIsRefusedAndNoVectorIsConnected() {
        try (MemFd memory = MemFd.create("test", 4096);
                FdSocket.Pair pair = FdSocket.pair()) {
            client.refused(
                    EINVAL,
                    SET_IRQS,
                    set(TRIGGER | EVENTFD, MSI, 0, 2),
                    events[0].descriptor(),
                    memory.descriptor());
            client.refused(
                    EINVAL, SET_IRQS, set(UNMASK | EVENTFD, INTX, 0, 1), pair.left().descriptor());
        }
        assertEquals(2, server.counters().refused(Refusal.IRQ_NO_EVENTFD));
        assertEquals(List.of(), server.device().takeCalls());
        assertEquals(descriptorsBefore, OpenDescriptors.count());
    }

    @Test
    void givenMaskByEventFd_whenSent_thenRequestIsRefusedAsUnsupported() {
        client.refused(ENOTSUP, SET_IRQS, set(MASK | EVENTFD, INTX, 0, 1), events[0].descriptor());
        assertEquals(descriptorsBefore, OpenDescriptors.count());
    }

    private static ByteBuffer set(int flags, int index, int start, int count) {
        return ints(20, flags, index, start, count);
    }

    private static ByteBuffer withBytes(int flags, int index, int start, int count, int... bytes) {
        return body(
                20 + bytes.length,
                b -> {
                    b.putInt(20 + bytes.length).putInt(flags).putInt(index);
                    b.putInt(start).putInt(count);
                    for (int value : bytes) {
                        b.put((byte) value);
                    }
                });
    }

    private int[] descriptors(int from, int to) {
        return IntStream.range(from, to).map(i -> events[i].descriptor()).toArray();
    }

    private List<Long> drained(int count) {
        return IntStream.range(0, count).mapToObj(i -> events[i].drain()).toList();
    }
}
