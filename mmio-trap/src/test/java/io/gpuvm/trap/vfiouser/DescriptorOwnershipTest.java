package io.gpuvm.trap.vfiouser;

import static io.gpuvm.trap.vfiouser.RawVfioUserClient.body;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.ints;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.le16;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.message;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.version;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.Errno;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.FileStatus;
import io.gpuvm.linux.MemFd;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.tests.support.OpenDescriptors;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/// Tests that a received descriptor has one owner on every path: each step of each handler that
/// receives descriptors fails once, and no descriptor remains open.
class DescriptorOwnershipTest {
    private static final int VERSION = 1;
    private static final int DMA_MAP = 2;
    private static final int GET_INFO = 4;
    private static final int SET_IRQS = 8;
    private static final int REGION_WRITE = 10;
    private static final int RESET = 13;
    private static final int CONFIG = 7;

    private static final int INTX = 0;
    private static final int MSI = 1;
    private static final int EVENTFD = 4;
    private static final int UNMASK = 0x10;
    private static final int TRIGGER = 0x20;
    private static final int READ_WRITE = 3;
    private static final int EBADF = Errno.EBADF.number();
    private static final int EINVAL = Errno.EINVAL.number();
    private static final int EIO = Errno.EIO.number();
    private static final int REPEATS = 50;

    private final TestServer server = new TestServer();
    private final RawVfioUserClient client = server.client();
    private final EventFd event = EventFd.create();
    private final MemFd ram = MemFd.create("ram", 0x100000);
    private final FdSocket.Pair pair = FdSocket.pair();
    private final List<Descriptor> files = new ArrayList<>();
    private int before;

    @BeforeEach
    void open() {
        before = OpenDescriptors.count();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        event.close();
        ram.close();
        pair.close();
        files.forEach(Descriptor::close);
    }

    /// Message whose handling fails at one step.
    ///
    /// @param step name of the step
    /// @param error error number in the reply
    /// @param reason counted reason
    /// @param sender operation that makes the step fail and sends the message; receives the error
    ///   number
    private record Case(String step, int error, Refusal reason, Sender sender) {
        @Override
        public String toString() {
            return step;
        }
    }

    private interface Sender {
        void send(DescriptorOwnershipTest test, int error);
    }

    private static Stream<Case> cases() {
        return Stream.of(
                new Case(
                        "SET_IRQS: the only descriptor is a path",
                        EBADF,
                        Refusal.DESCRIPTOR_PATH_ONLY,
                        (test, error) -> test.irqs(error, MSI, 1, test.path(test.event()))),
                new Case(
                        "SET_IRQS: the second of three descriptors is a path",
                        EBADF,
                        Refusal.DESCRIPTOR_PATH_ONLY,
                        (test, error) ->
                                test.irqs(
                                        error,
                                        MSI,
                                        3,
                                        test.event(),
                                        test.path(test.event()),
                                        test.event())),
                new Case(
                        "SET_IRQS: a resample descriptor is a path",
                        EBADF,
                        Refusal.DESCRIPTOR_PATH_ONLY,
                        (test, error) ->
                                test.client.refused(
                                        error,
                                        SET_IRQS,
                                        ints(20, UNMASK | EVENTFD, INTX, 0, 1),
                                        test.path(test.event()))),
                new Case(
                        "SET_IRQS: the last descriptor is memory",
                        EINVAL,
                        Refusal.IRQ_NO_EVENTFD,
                        (test, error) ->
                                test.irqs(error, MSI, 2, test.event(), test.ram.descriptor())),
                new Case(
                        "SET_IRQS: a descriptor is a socket",
                        EINVAL,
                        Refusal.IRQ_NO_EVENTFD,
                        (test, error) -> test.irqs(error, MSI, 1, test.pair.left().descriptor())),
                new Case(
                        "SET_IRQS: more descriptors than vectors",
                        EINVAL,
                        Refusal.IRQ_DESCRIPTORS,
                        (test, error) -> test.irqs(error, MSI, 1, test.event(), test.event())),
                new Case(
                        "SET_IRQS: the device does not connect the first vector",
                        EIO,
                        Refusal.DEVICE_FAILED,
                        (test, error) -> {
                            test.server.device().failConnections(0);
                            test.irqs(error, MSI, 3, test.event(), test.event(), test.event());
                        }),
                new Case(
                        "DMA_MAP: the descriptor is a path",
                        EBADF,
                        Refusal.DESCRIPTOR_PATH_ONLY,
                        (test, error) -> test.refusedMap(error, test.path(test.ram.descriptor()))),
                new Case(
                        "DMA_MAP: two descriptors",
                        EINVAL,
                        Refusal.DMA_DESCRIPTORS_MANY,
                        (test, error) ->
                                test.refusedMap(
                                        error, test.ram.descriptor(), test.ram.descriptor())),
                new Case(
                        "DMA_MAP: the file is too short",
                        EINVAL,
                        Refusal.DMA_FILE_TOO_SHORT,
                        (test, error) -> test.refusedMap(error, test.file(0x800))),
                new Case(
                        "DMA_MAP: the descriptor is not a file",
                        EINVAL,
                        Refusal.DMA_FILE_SYSTEM,
                        (test, error) -> test.refusedMap(error, test.event())),
                new Case(
                        "DMA_MAP: the device refuses the memory",
                        EINVAL,
                        Refusal.DMA_MEMORY_UNUSABLE,
                        (test, error) -> {
                            test.busMaster();
                            test.server.device().failMappings(true);
                            test.refusedMap(error, test.ram.descriptor());
                        }),
                new Case(
                        "DMA_MAP: the device fails",
                        EIO,
                        Refusal.DEVICE_FAILED,
                        (test, error) -> {
                            test.busMaster();
                            test.server.device().breakMappings();
                            test.refusedMap(error, test.ram.descriptor());
                        }),
                new Case(
                        "VERSION: second message, with a descriptor",
                        EINVAL,
                        Refusal.VERSION_AGAIN,
                        (test, error) ->
                                test.client.refused(error, VERSION, version("{}"), test.event())),
                new Case(
                        "RESET: message with a body and descriptors",
                        EINVAL,
                        Refusal.BODY_LENGTH_WRONG,
                        (test, error) ->
                                test.client.refused(
                                        error, RESET, ints(1), test.event(), test.event())),
                new Case(
                        "unknown command",
                        EINVAL,
                        Refusal.UNKNOWN_COMMAND,
                        (test, error) -> test.client.refused(error, 99, ints(1), test.event())));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenFailingStep_whenMessageCarriesDescriptors_thenAllDescriptorsAreClosed(Case each) {
        each.sender.send(this, each.error);
        assertEquals(1, server.counters().refused(each.reason));
        files.forEach(Descriptor::close);
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void givenPathOnlyDescriptor_whenSentRepeatedly_thenNoDescriptorRemainsAndOneLineIsLogged() {
        Logger logger = (Logger) LoggerFactory.getLogger(ClientSession.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.WARN);
        try {
            int path = path(event());
            for (int i = 0; i < REPEATS; i++) {
                irqs(EBADF, MSI, 1, path);
            }
            assertEquals(before + 1, OpenDescriptors.count());
            assertEquals(1, log.list.size());
            assertTrue(log.list.getFirst().getFormattedMessage().contains("descriptor=0x0"));
            assertEquals(null, log.list.getFirst().getThrowableProxy());
        } finally {
            logger.setLevel(null);
            logger.detachAppender(log);
        }
    }

    @Test
    void givenDeviceThatConnectsHalfOfVectors_whenClientDisconnects_thenNoDescriptorRemains() {
        server.device().failConnections(2);
        irqs(EIO, MSI, 4, event(), event(), event(), event());
        assertEquals(before + 2, OpenDescriptors.count(), "connected vectors");
        client.socket().close();
        server.settle();
        assertEquals(before - 2, OpenDescriptors.count(), "without both ends of the connection");
    }

    @Test
    void givenConnectedVector_whenReplacementFails_thenVectorIsUnchanged() {
        client.done(SET_IRQS, ints(20, TRIGGER | EVENTFD, MSI, 0, 1), event());
        server.device().failConnections(0);
        try (EventFd other = EventFd.create()) {
            irqs(EIO, MSI, 1, other.descriptor());
        }
        assertEquals(before + 1, OpenDescriptors.count());
        assertTrue(server.device().signal(Irq.MSI, 0));
        assertEquals(1, event.drain());
    }

    @Test
    void givenRefusingPoller_whenResampleEventFdIsSet_thenEventFdIsClosed() {
        IrqTable irqs =
                new IrqTable(
                        new FakeDevice(),
                        _ -> {
                            throw new IllegalStateException("made up");
                        });
        EventFd resample = EventFd.adopt(Descriptor.duplicate(event()));
        assertThrows(IllegalStateException.class, () -> irqs.resample(resample));
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void givenDeviceThatFailsToUnmap_whenRangeIsReplaced_thenNewFileIsClosed() {
        FakeDevice device = new FakeDevice();
        DmaRegions memory = new DmaRegions(device, new TrapCounters(), LogLimit.once());
        memory.onBusMaster(true);
        mapIn(memory, ram);
        memory.unmap(0, 0xfff);
        device.breakUnmappings(true);
        try (MemFd other = MemFd.create("other", 0x1000)) {
            assertThrows(IllegalStateException.class, () -> mapIn(memory, other));
        }
        assertEquals(before + 1, OpenDescriptors.count(), "the file that is still mapped");
        device.breakUnmappings(false);
        memory.clear();
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void givenTooManyDescriptors_whenReceived_thenSessionEndsAndNoDescriptorRemains() {
        int[] many = new int[FdSocket.MAX_RECEIVED + 1];
        Arrays.fill(many, event());
        client.send(SET_IRQS, 0, ints(20, TRIGGER | EVENTFD, MSI, 0, 17), many);
        client.expectClosed();
        assertEquals(1, server.counters().refused(Refusal.DESCRIPTORS_LOST));
        client.socket().close();
        server.settle();
        assertEquals(before - 2, OpenDescriptors.count());
    }

    @Test
    void givenPartialMessageWithDescriptors_whenClientDisconnects_thenNoDescriptorRemains() {
        byte[] whole = message(7, SET_IRQS, 0, ints(20, TRIGGER | EVENTFD, MSI, 0, 1));
        client.sendBytes(Arrays.copyOf(whole, 20), event(), path(event()));
        server.settle();
        client.socket().close();
        server.settle();
        files.forEach(Descriptor::close);
        assertEquals(before - 2, OpenDescriptors.count());
    }

    @Test
    void givenDeviceThatFailsToUnmap_whenSessionIsAbandoned_thenNoDescriptorRemains() {
        busMaster();
        client.done(SET_IRQS, ints(20, TRIGGER | EVENTFD, MSI, 0, 1), event());
        client.done(DMA_MAP, map(0, 0x1000), ram.descriptor());
        client.sendBytes(
                Arrays.copyOf(message(7, GET_INFO, 0, ints(16, 0, 0, 0)), 20), event(), event());
        server.settle();
        server.device().breakUnmappings(true);
        client.socket().close();
        assertThrows(IllegalStateException.class, server::settle);
        server.device().breakUnmappings(false);
        server.server().abandon();
        assertEquals(before - 2, OpenDescriptors.count());
    }

    private int event() {
        return event.descriptor();
    }

    private int file(long bytes) {
        try (MemFd file = MemFd.create("short", bytes)) {
            files.add(Descriptor.duplicate(file.descriptor()));
        }
        return files.getLast().number();
    }

    private int path(int descriptor) {
        files.add(PathOnly.of(descriptor));
        return files.getLast().number();
    }

    private void irqs(int error, int index, int count, int... descriptors) {
        client.refused(error, SET_IRQS, ints(20, TRIGGER | EVENTFD, index, 0, count), descriptors);
    }

    private void refusedMap(int error, int... descriptors) {
        client.refused(error, DMA_MAP, map(0x4000, 0x1000), descriptors);
    }

    private void busMaster() {
        client.done(REGION_WRITE, write(4, CONFIG, le16(4)));
    }

    /// Maps the first page, as DMA_MAP does.
    private static void mapIn(DmaRegions memory, MemFd file) {
        MemorySegment body = MemorySegment.ofArray(map(0, 0x1000).array());
        memory.map(
                new DmaMapBody().wrap(body, 0),
                FileStatus.of(file.descriptor()),
                Descriptor.duplicate(file.descriptor()));
    }

    private static ByteBuffer map(long iova, long bytes) {
        return body(
                32, b -> b.putInt(32).putInt(READ_WRITE).putLong(0).putLong(iova).putLong(bytes));
    }
}
