package io.gpuvm.pv.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.gf100.driver.ChannelRing;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.transport.GenericWindows;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// Tests of a guest's transport with well-behaved and failing backends.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class PvTransportTest {
    private static final long PAGE = 1 << 12;
    private static final long FOREVER_NS = TimeUnit.HOURS.toNanos(1);
    private static final long COMPILED_LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    @TempDir private Path folder;
    private Path socket;
    private ScriptedBackend backend;

    @BeforeEach
    void listen() {
        socket = folder.resolve("guest");
        backend = new ScriptedBackend(socket);
    }

    @AfterEach
    void close() {
        backend.close();
    }

    @Test
    void givenBackend_whenConnected_thenLimitsMatchBackend() {
        try (PvTransport transport = PvTransport.connect(socket)) {
            assertEquals(ScriptedBackend.GPU, transport.limits().name());
            assertEquals(ScriptedBackend.VRAM_BYTES, transport.limits().vramBytes());
            assertEquals(4, transport.limits().channels());
            assertEquals(14, transport.limits().multiprocessors());
            assertEquals(2, transport.limits().copyEngines());
        }
    }

    @Test
    void givenPathWithoutBackend_whenConnected_thenErrorNamesPath() {
        Path nowhere = folder.resolve("absent");

        assertFails(nowhere.toString(), () -> PvTransport.connect(nowhere));
    }

    @Test
    void givenRefusingBackend_whenConnected_thenErrorNamesReason() {
        backend.refuse("guests=2, limit=1");

        assertFails("guests=2, limit=1", () -> PvTransport.connect(socket));
    }

    @Test
    void givenBackendThatDisconnects_whenConnected_thenConnectionFails() {
        backend.hangUp();

        assertFails("backend closed the connection", () -> PvTransport.connect(socket));
    }

    @Test
    void givenVram_whenAllocated_thenAddressesAreOutsideWindows() {
        try (PvTransport transport = PvTransport.connect(socket)) {
            Set<Long> addresses = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                GpuMemory memory = transport.allocateVram(1);
                assertEquals(PAGE, memory.bytes());
                assertTrue(addresses.add(memory.gpuVa()));
                assertTrue(memory.gpuVa() > 0);
                assertFalse(GenericWindows.overlap(memory.gpuVa(), memory.bytes()));
            }
        }
    }

    @Test
    void givenVram_whenClosedTwice_thenVramIsUnmappedAndFreedOnce() {
        try (PvTransport transport = PvTransport.connect(socket)) {
            GpuMemory memory = transport.allocateVram(PAGE);
            memory.close();
            memory.close();

            assertEquals(
                    List.of(
                            CommandOpcode.SPACE_CREATE,
                            CommandOpcode.VRAM_ALLOC,
                            CommandOpcode.MAP,
                            CommandOpcode.UNMAP,
                            CommandOpcode.VRAM_FREE),
                    backend.taken());
        }
    }

    @Test
    void givenTooLargeRequest_whenAllocated_thenErrorNamesValueAndLimit() {
        try (PvTransport transport = PvTransport.connect(socket)) {
            assertFails(
                    "bytes=1052672, limit=1048576",
                    () -> transport.allocateVram(ScriptedBackend.VRAM_BYTES + 1));
            assertFails(
                    "bytes=1052672, limit=1048576",
                    () -> transport.allocateHost(ScriptedBackend.DATA_BYTES + 1));
            assertFails("bytes=0", () -> transport.allocateHost(0));
        }
    }

    @Test
    void givenBackendThatRefusesCommand_whenCalled_thenErrorNamesReasonAndNoMemoryLeaks() {
        try (PvTransport transport = PvTransport.connect(socket)) {
            backend.refuse(CommandOpcode.MAP, CommandStatus.QUOTA_PAGES);
            for (int i = 0; i < 1000; i++) {
                assertFails(
                        CommandStatus.QUOTA_PAGES.meaning(),
                        () -> transport.allocateHost(ScriptedBackend.DATA_BYTES));
            }
            backend.refuse(CommandOpcode.MAP, CommandStatus.OK);

            transport.allocateHost(ScriptedBackend.DATA_BYTES).close();
        }
    }

    @Test
    void givenBackendWithoutDeclaredFences_whenFenceIsDeclared_thenRefusalIsIgnored() {
        try (PvTransport transport = PvTransport.connect(socket)) {
            HostMemory memory = transport.allocateHost(PAGE);
            memory.declareFence(8);
            backend.refuse(CommandOpcode.FENCE_DECLARE, CommandStatus.BAD_OPCODE);
            memory.declareFence(8);
            backend.refuse(CommandOpcode.FENCE_DECLARE, CommandStatus.BAD_RANGE);
            assertFails(CommandStatus.BAD_RANGE.meaning(), () -> memory.declareFence(PAGE));
        }
    }

    @Test
    void givenUsedHostMemory_whenReallocated_thenMemoryIsZeroedAndBackendSeesWrites() {
        try (PvTransport transport = PvTransport.connect(socket)) {
            HostMemory used = transport.allocateHost(3 * PAGE);
            used.segment().fill((byte) 0x5a);
            assertEquals(0x5a, backend.data().get(ValueLayout.JAVA_BYTE, 3 * PAGE - 1));
            assertEquals(0, backend.data().get(ValueLayout.JAVA_BYTE, 3 * PAGE));
            used.close();

            HostMemory again = transport.allocateHost(4 * PAGE);

            MemorySegment zeros = MemorySegment.ofArray(new byte[(int) (4 * PAGE)]);
            assertEquals(-1, again.segment().mismatch(zeros));
        }
    }

    @Test
    void givenHostMemory_whenMemoryOrTransportIsClosed_thenAccessesThrow() {
        PvTransport transport = PvTransport.connect(socket);
        MemorySegment first = transport.allocateHost(1).segment();
        HostMemory second = transport.allocateHost(1);
        MemorySegment segment = second.segment();
        second.close();
        assertThrows(
                IllegalStateException.class, () -> segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 1));

        transport.close();
        transport.close();

        assertThrows(
                IllegalStateException.class, () -> first.set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
        assertFails("closed", () -> transport.allocateVram(1));
        assertFails("closed", () -> transport.awaitNews(FOREVER_NS));
    }

    @Test
    void givenChannel_whenWorkIsOfferedAndDoorbellIsRung_thenBackendReceivesPutIndex()
            throws Exception {
        try (PvTransport transport = PvTransport.connect(socket)) {
            GpuChannel channel = transport.openChannel();
            assertTrue(channel.offer(PAGE, 1));
            assertTrue(channel.offer(PAGE, 1));
            channel.ring();
            channel.ring();

            until(() -> backend.submissions() == 1);
            assertEquals(2, backend.lastPut());
        }
    }

    @Test
    void givenFullRing_whenGpuReadsEntry_thenOneEntryCanBeOffered() {
        int most = (1 << ChannelRing.ORDER) - 1;
        try (PvTransport transport = PvTransport.connect(socket)) {
            GpuChannel channel = transport.openChannel();
            for (int i = 0; i < most; i++) {
                assertTrue(channel.offer(PAGE, 1));
            }
            assertFalse(channel.offer(PAGE, 1));
            backend.readRing(channel.id(), 1);

            assertTrue(channel.offer(PAGE, 1));
            assertFalse(channel.offer(PAGE, 1));
        }
    }

    @Test
    void givenFailedChannel_whenQueried_thenFailureFromBackendIsReported() {
        try (PvTransport transport = PvTransport.connect(socket)) {
            GpuChannel channel = transport.openChannel();
            assertNull(channel.failure());
            backend.failChannel(channel.id(), ChannelFailure.Kind.TIMEOUT, "took too long");

            assertEquals(
                    new ChannelFailure(ChannelFailure.Kind.TIMEOUT, "took too long"),
                    channel.failure());
        }
    }

    @Test
    void givenRefusedSubmission_whenNewsIsAwaited_thenChannelHasFailed() throws Exception {
        try (PvTransport transport = PvTransport.connect(socket)) {
            GpuChannel channel = transport.openChannel();
            backend.refuse(CommandOpcode.SUBMIT, CommandStatus.BAD_RANGE);
            channel.offer(PAGE, 1);
            channel.ring();
            while (channel.failure() == null) {
                transport.awaitNews(FOREVER_NS);
            }

            assertTrue(channel.failure().message().contains(CommandStatus.BAD_RANGE.meaning()));
        }
    }

    @Test
    void givenNewsBeforeAndDuringSleep_whenAwaited_thenNoNewsIsMissed() throws Exception {
        try (PvTransport transport = PvTransport.connect(socket)) {
            backend.tellNews();
            transport.awaitNews(FOREVER_NS);
            for (int i = 0; i < 200; i++) {
                Future<?> news =
                        whenAsleep(() -> {
                            transport.awaitNews(FOREVER_NS);
                            return null;
                        });
                backend.tellNews();
                transport.awaitNews(FOREVER_NS);
                news.get();
            }
        }
    }

    @Test
    void givenWaitingThreads_whenBackendDies_thenAllThreadsFail() throws Exception {
        try (PvTransport transport = PvTransport.connect(socket)) {
            GpuChannel channel = transport.openChannel();
            HostMemory memory = transport.allocateHost(1);
            backend.beSilent();
            List<Future<?>> waiting = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                waiting.add(whenAsleep(() -> transport.allocateVram(1)));
                waiting.add(
                        whenAsleep(() -> {
                            while (true) {
                                transport.awaitNews(FOREVER_NS);
                            }
                        }));
            }
            backend.die();

            for (Future<?> each : waiting) {
                Throwable cause = assertThrows(ExecutionException.class, each::get).getCause();
                assertEquals(TransportException.class, cause.getClass());
                assertTrue(cause.getMessage().contains("backend is gone"), cause::getMessage);
            }
            assertEquals(ChannelFailure.Kind.LOST, channel.failure().what());
            assertFails("backend is gone", transport::openChannel);
            channel.offer(PAGE, 1);
            channel.ring();
            memory.segment().fill((byte) 1);
            memory.close();
            channel.close();
        }
    }

    @Test
    void givenUnresponsiveBackend_whenRingIsFilled_thenSubmissionsWaitForRoom() throws Exception {
        int many = 100;
        try (PvTransport transport = PvTransport.connect(socket)) {
            GpuChannel channel = transport.openChannel();
            backend.beDeaf(true);
            Future<?> submitting =
                    whenAsleep(() -> {
                        for (int i = 0; i < many; i++) {
                            channel.offer(PAGE, 1);
                            channel.ring();
                        }
                        return null;
                    });
            backend.beDeaf(false);
            submitting.get();

            until(() -> backend.lastPut() == many);
            assertEquals(many, backend.submissions());
        }
    }

    @Test
    void givenWaitingThread_whenTransportIsClosed_thenWaitEnds() throws Exception {
        PvTransport transport = PvTransport.connect(socket);
        backend.beSilent();
        Future<?> news =
                whenAsleep(() -> {
                    while (true) {
                        transport.awaitNews(FOREVER_NS);
                    }
                });
        Future<?> call = whenAsleep(() -> transport.allocateVram(1));

        transport.close();

        assertThrows(ExecutionException.class, news::get);
        assertThrows(ExecutionException.class, call::get);
    }

    @Test
    void givenInterruptedThread_whenWaiting_thenAnswerArrivesAndNewsWaitEnds() throws Exception {
        try (PvTransport transport = PvTransport.connect(socket)) {
            Thread.currentThread().interrupt();
            transport.allocateVram(1).close();

            assertTrue(Thread.currentThread().isInterrupted());
            assertThrows(InterruptedException.class, () -> transport.awaitNews(FOREVER_NS));
            assertFalse(Thread.currentThread().isInterrupted());
        }
    }

    @Test
    void givenManyThreads_whenCallingConcurrently_thenEachThreadGetsMatchingAnswer()
            throws Exception {
        int threads = 24;
        Set<Long> addresses = new HashSet<>();
        try (PvTransport transport = PvTransport.connect(socket);
                ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<GpuMemory>> all = new ArrayList<>();
            for (int i = 0; i < 50 * threads; i++) {
                all.add(pool.submit(() -> transport.allocateVram(1)));
            }
            for (Future<GpuMemory> each : all) {
                addresses.add(each.get().gpuVa());
            }
        }
        assertEquals(50 * threads, addresses.size());
    }

    @Test
    @Tag("optimized")
    void givenSteadyLoad_whenWorkIsSubmitted_thenHeapAllocationIsWithinLimit() {
        int times = 20_000;
        // A wait for room while the backend is slow may allocate a little memory.
        int allowedBytes = times / 10;
        try (PvTransport transport = PvTransport.connect(socket)) {
            GpuChannel channel = transport.openChannel();
            long least = Long.MAX_VALUE;
            int put = 0;
            // Code that is not compiled yet allocates memory, and the time of its compilation is
            // unknown.
            long startNs = System.nanoTime();
            while (least >= allowedBytes && System.nanoTime() - startNs < COMPILED_LIMIT_NS) {
                long before = allocatedBytes();
                for (int i = 0; i < times; i++) {
                    backend.readRing(channel.id(), put);
                    assertTrue(channel.offer(PAGE, 1));
                    channel.ring();
                    put = put + 1 & (1 << ChannelRing.ORDER) - 1;
                }
                least = Math.min(least, allocatedBytes() - before);
            }
            assertTrue(least < allowedBytes, "allocated bytes=" + least);
        }
    }

    /// Starts a call that must wait, and returns once its thread waits.
    private static <T> Future<T> whenAsleep(Callable<T> call) throws Exception {
        Thread[] thread = new Thread[1];
        ExecutorService one =
                Executors.newSingleThreadExecutor(
                        task -> thread[0] = Thread.ofPlatform().daemon().unstarted(task));
        Future<T> future = one.submit(call);
        one.shutdown();
        // A thread in epoll_wait is RUNNABLE too; by then it also waits.
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3);
        while (thread[0].getState() == Thread.State.RUNNABLE && System.nanoTime() < endNs) {
            Thread.onSpinWait();
        }
        return future;
    }

    private static void until(Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            Thread.sleep(1);
        }
    }

    private static void assertFails(String part, Executable call) {
        TransportException e = assertThrows(TransportException.class, call);
        assertTrue(e.getMessage().contains(part), e::getMessage);
    }

    private static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }
}
