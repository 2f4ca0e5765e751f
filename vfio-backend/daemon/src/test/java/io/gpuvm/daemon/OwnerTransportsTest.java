package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.service.gpu.ContextTransport;
import io.gpuvm.cuda.service.gpu.OwnerTransports;
import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.pv.host.FrontEndParts;
import io.gpuvm.pv.host.PlaceKind;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.pv.host.PvPoller;
import io.gpuvm.pv.host.PvReception;
import io.gpuvm.pv.host.SessionFrontEnd;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.remote.SocketConnection;
import io.gpuvm.pv.runtime.ContextSettings;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.PinnedMemory;
import io.gpuvm.pv.transport.AddressRange;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the transports of a session's contexts. The test's thread is that of the poller.
@Timeout(60)
class OwnerTransportsTest {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long MIB = 1 << 20;
    private static final long PAGE = 4096;
    private static final long BIG_PAGE = 128 << 10;
    private static final long VRAM = 64 * MIB;
    private static final long DATA_ADDRESS = 0x60_0000_0000L;
    private static final AddressRange CLIENT = new AddressRange(0x41_0000_0000L, 1L << 30);

    /// Front end without requests.
    private static final class IdleFrontEnd implements SessionFrontEnd {
        @Override
        public int doWork(int limit) {
            return 0;
        }

        @Override
        public int taken() {
            return 0;
        }

        @Override
        public int failed() {
            return 0;
        }

        @Override
        public boolean isWaiting() {
            return false;
        }

        @Override
        public void close() {
            // Its transports end with the session.
        }
    }

    @TempDir private Path folder;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicReference<FrontEndParts> opened = new AtomicReference<>();
    private HostGpu gpu;
    private SharedGpu shared;
    private PvPoller poller;
    private PvReception reception;
    private PvPlace place;
    private SocketConnection client;
    private FrontEndParts parts;
    private OwnerTransports transports;

    @BeforeEach
    void open() {
        BackendConfig config =
                new BackendConfig(
                        GpuSpec.parse("soft,vram=128M,workers=1"),
                        List.of(
                                VmConfig.parse(
                                        "a,mode=cuda,vram=64M,data=2M,channels=8,spaces=3,sessions=1,socket="
                                                + socket())),
                        IdleMode.BLOCK,
                        BackendConfig.DEFAULT_COMMAND_LIMIT);
        Runnable onFailure = () -> failed.set(true);
        gpu = HostGpu.open(config.gpu(), onFailure);
        shared = new SharedGpu(gpu, config, onFailure);
        poller = new PvPoller();
        reception = new PvReception(poller, System::nanoTime);
        place =
                shared.addPv(
                        config.vms().getFirst(),
                        new PlaceKind.FrontEnds(
                                RingProtocol.CUDA,
                                front -> {
                                    opened.set(front);
                                    return new IdleFrontEnd();
                                }),
                        0,
                        poller::wake);
        reception.open(place, socket());
        shared.start();
        AtomicReference<SocketConnection> connected = new AtomicReference<>();
        Thread connecting =
                Thread.ofPlatform()
                        .start(() ->
                                connected.set(
                                        SocketConnection.open(socket(), RingProtocol.CUDA, 0)));
        turnUntil(() -> !connecting.isAlive());
        client = connected.get();
        parts = opened.get();
        transports = new OwnerTransports(parts, DATA_ADDRESS);
    }

    @AfterEach
    void close() {
        client.close();
        turnUntil(() -> !poller.hasGuests() && place.arena().usedBytes() == 0);
        reception.close();
        poller.close();
        shared.close();
        gpu.close();
        assertFalse(failed.get());
    }

    @Test
    void givenTwoTransports_whenOpened_thenBothMapDataAreaAtSameAddress() {
        ContextTransport first = transports.open();
        ContextTransport second = transports.open();
        assertEquals(DATA_ADDRESS, first.dataArea().gpuVa());
        assertEquals(2 * MIB, second.dataArea().bytes());
        for (ContextTransport each : List.of(first, second)) {
            GpuChannel channel = each.transport().openChannel();
            write(each.transport(), channel, DATA_ADDRESS + PAGE, 7);
            turnUntil(() -> word(client.area().data(), PAGE) == 7);
            client.area().data().set(ValueLayout.JAVA_INT, PAGE, 0);
            assertNull(channel.failure());
        }
        assertEquals(parts.limits(), first.transport().limits());
    }

    @Test
    void givenMemoryOfOtherContext_whenChannelWrites_thenOnlyItsContextFails() {
        GpuTransport first = transports.open().transport();
        GpuTransport second = transports.open().transport();
        GpuMemory memory = first.allocateVram(1, GpuAddresses.within(CLIENT));
        GpuChannel channel = second.openChannel();
        GpuChannel other = first.openChannel();
        write(second, channel, memory.gpuVa(), 7);
        turnUntil(() -> channel.failure() != null);
        assertEquals(ChannelFailure.Kind.MEMORY_FAULT, channel.failure().what());
        HostMemory done = first.allocateHost(1);
        write(first, other, memory.gpuVa(), 7);
        write(first, other, done.gpuVa(), 8);
        turnUntil(() -> word(done.segment(), 0) == 8);
        assertNull(other.failure());
    }

    @Test
    void givenVram_whenAllocatedAndFreed_thenUnitIsBigPageAndBytesReturn() {
        GpuTransport transport = transports.open().transport();
        GpuAddresses addresses = GpuAddresses.within(CLIENT);
        transport.reserve(CLIENT);
        GpuMemory memory = transport.allocateVram(1, addresses);
        assertEquals(CLIENT.first(), memory.gpuVa());
        assertEquals(BIG_PAGE, memory.bytes());
        assertEquals(VRAM - BIG_PAGE, transport.freeVramBytes());
        GpuMemory own = transport.allocateVram(MIB);
        assertTrue(own.gpuVa() < CLIENT.first());
        memory.close();
        memory.close();
        assertEquals(1, transport.pendingFrees());
        assertEquals(CLIENT.first(), transport.allocateVram(1, addresses).gpuVa());
        turnUntil(() -> transport.pendingFrees() == 0);
        assertEquals(VRAM - BIG_PAGE - MIB, transport.freeVramBytes());
        assertMessage(
                "vram bytes=%d, limit=%d".formatted(VRAM + BIG_PAGE, VRAM),
                () -> transport.allocateVram(VRAM + 1));
        assertMessage(
                "VRAM bytes=%d, limit=%d".formatted(VRAM, VRAM - BIG_PAGE - MIB),
                () -> transport.allocateVram(VRAM));
        assertMessage("bytes=0", () -> transport.allocateVram(0));
    }

    @Test
    void givenDataArea_whenItsAddressesAreReserved_thenReservationIsRefused() {
        GpuTransport transport = transports.open().transport();
        assertThrows(
                TransportException.class,
                () -> transport.reserve(new AddressRange(DATA_ADDRESS, BIG_PAGE)));
        assertThrows(
                TransportException.class,
                () -> new OwnerTransports(parts, (1L << 40) - BIG_PAGE).open());
        transports.open();
        transports.open();
    }

    @Test
    void givenHostMemory_whenTransportIsClosed_thenAccessThrows() {
        GpuTransport transport = transports.open().transport();
        HostMemory memory = transport.allocateHost(PAGE + 1);
        assertEquals(2 * PAGE, memory.bytes());
        MemorySegment segment = memory.segment();
        assertEquals(-1, segment.mismatch(MemorySegment.ofArray(new byte[(int) (2 * PAGE)])));
        segment.fill((byte) 1);
        transport.close();
        transport.close();
        memory.close();
        assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
        turnUntil(() -> parts.gpu().pendingReleases() == 0);
    }

    @Test
    void givenContextsBeyondQuota_whenOpened_thenRefusalNamesLimit() {
        List<GpuTransport> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(transports.open().transport());
        }
        assertMessage("address spaces=4, limit=3", transports::open);
        all.getFirst().close();
        transports.open();
    }

    @Test
    void givenStreamsOfOneContext_whenChannelsAreOpened_thenHalfIsKeptForOtherContexts() {
        GpuTransport first = transports.open().transport();
        GpuTransport second = transports.open().transport();
        List<GpuChannel> channels = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            channels.add(first.openChannel());
        }
        assertMessage("channels of additional streams=5, limit=4", first::openChannel);
        second.openChannel();
        assertMessage("channels of additional streams=5, limit=4", second::openChannel);
        channels.getLast().close();
        channels.getLast().close();
        second.openChannel();
        first.close();
        GpuTransport third = transports.open().transport();
        for (int i = 0; i < 4; i++) {
            third.openChannel();
            turnUntil(() -> parts.gpu().isTurnLeft());
        }
    }

    @Test
    void givenWork_whenContextRunsOnTransport_thenNoCallWaits() {
        ContextTransport opened = transports.open();
        GpuTransport transport = opened.transport();
        assertMessage("wait on the poller's thread", () -> transport.awaitNews(1));
        GpuContext context =
                GpuContext.open(transport, new ContextSettings(GpuAddresses.within(CLIENT), false));
        PinnedMemory area = context.wrap(opened.dataArea());
        GpuStream stream = context.newStream();
        DeviceMemory memory = context.allocate(MIB);
        client.area().data().asSlice(0, MIB).fill((byte) 5);
        stream.copyToDevice(memory, 0, area, 0, MIB);
        stream.copyToHost(area, MIB, memory, 0, MIB);
        turnUntil(stream::isDone);
        assertEquals(
                -1,
                client.area()
                        .data()
                        .asSlice(MIB, MIB)
                        .mismatch(client.area().data().asSlice(0, MIB)));
        assertNotEquals(0, client.area().data().get(ValueLayout.JAVA_BYTE, MIB));
        long free = context.freeVramBytes();
        memory.close();
        turnUntil(() -> !context.releases().arePending());
        assertEquals(free + MIB, context.freeVramBytes());
        assertThrows(GpuException.class, () -> context.allocate(2 * VRAM));
        context.terminate();
        turnUntil(() -> parts.gpu().pendingReleases() == 0);
        assertEquals(VRAM, parts.gpu().freeVramBytes());
    }

    /// Submits the release of a semaphore, by which a channel writes a word.
    private static void write(GpuTransport transport, GpuChannel channel, long gpuVa, int value) {
        int[] words = {
            MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 4),
            (int) (gpuVa >>> Integer.SIZE),
            (int) gpuVa,
            value,
            ChannelClass.SEMAPHORE_OPERATION.of(ChannelClass.RELEASE)
                    | ChannelClass.RELEASE_SHORT.of(1),
        };
        HostMemory push = transport.allocateHost(PAGE);
        MemorySegment.copy(words, 0, push.segment(), ValueLayout.JAVA_INT, 0, words.length);
        assertTrue(channel.offer(push.gpuVa(), words.length));
        channel.ring();
        channel.ring();
    }

    private static int word(MemorySegment memory, long at) {
        return (int) ValueLayout.JAVA_INT.varHandle().getAcquire(memory, at);
    }

    private static void assertMessage(String part, Executable call) {
        String message = assertThrows(TransportException.class, call).getMessage();
        assertTrue(message.contains(part), message);
    }

    private Path socket() {
        return folder.resolve("a");
    }

    private void turnUntil(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            reception.doWork();
            poller.doWork();
            assertTrue(System.nanoTime() - start < LIMIT_NS, "not in time");
        }
    }
}
