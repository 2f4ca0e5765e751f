package io.gpuvm.pv.bare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.tests.gpu.RunningGpu;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NativeChannelTest {
    private static final int PAGE = 4096;
    private static final int THREADS = 8;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(20);

    private final RunningGpu gpu = new RunningGpu();
    private final NativeTransport transport = NativeTransport.open(gpu.device());

    @AfterEach
    void close() {
        transport.close();
        gpu.close();
    }

    /// Adds a semaphore acquire that blocks all later work until a word, initially 0, becomes 1.
    private static void block(PushBuffer push, HostMemory gate) {
        push.address(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, gate.gpuVa())
                .methods(
                        0,
                        ChannelClass.SEMAPHORE_PAYLOAD,
                        1,
                        ChannelClass.ACQUIRE_EQUAL | ChannelClass.ACQUIRE_SWITCH.of(1));
    }

    private static void open(HostMemory gate) {
        gate.segment().set(ValueLayout.JAVA_INT, 0, 1);
    }

    @Test
    void givenWaitingChannel_whenRingIsFilled_thenOfferFailsUntilChannelContinues()
            throws Exception {
        HostMemory gate = transport.allocateHost(PAGE);
        HostMemory nops = transport.allocateHost(PAGE);
        try (PushBuffer push = new PushBuffer(transport)) {
            // The GPU has read the blocked entry before the ring fills up.
            push.release(true);
            block(push, gate);
            push.submit().await();
            int offered = 0;
            while (push.channel.offer(nops.gpuVa(), 1)) {
                offered++;
            }
            push.channel.ring();
            assertTrue(offered >= 512, "entries=" + offered);
            assertFalse(push.channel.offer(nops.gpuVa(), 1));

            open(gate);

            long end = System.nanoTime() + LONG_NS;
            while (!push.channel.offer(nops.gpuVa(), 1)) {
                assertTrue(System.nanoTime() < end, "ring stays full");
                Thread.onSpinWait();
            }
            push.run();
        }
    }

    @Test
    void givenTwoChannels_whenFirstWaitsForSecond_thenBothChannelsRun() throws Exception {
        HostMemory memory = transport.allocateHost(3 * PAGE);
        try (PushBuffer waiting = new PushBuffer(transport);
                PushBuffer other = new PushBuffer(transport)) {
            memory.segment().set(ValueLayout.JAVA_INT, PAGE, 1);
            block(waiting, memory);
            waiting.copy(memory.gpuVa() + 2 * PAGE, memory.gpuVa() + PAGE, PAGE)
                    .release(true)
                    .submit();

            other.copy(memory.gpuVa(), memory.gpuVa() + PAGE, PAGE).run();
            waiting.await();

            assertEquals(1, memory.segment().get(ValueLayout.JAVA_INT, 2 * PAGE));
        }
    }

    @Test
    void givenManyThreads_whenEachThreadAwaitsOwnWork_thenNoEventIsLost() throws Exception {
        runOnThreads(() -> {
            try (PushBuffer push = new PushBuffer(transport)) {
                for (int i = 0; i < 200; i++) {
                    push.rewind().run();
                }
            }
            return null;
        });
    }

    @Test
    void givenManyThreads_whenEachThreadAllocatesAndCopies_thenEachThreadReadsOwnBytes()
            throws Exception {
        runOnThreads(() -> {
            int mine = (int) Thread.currentThread().threadId();
            for (int i = 0; i < 20; i++) {
                copyThroughVram(mine + i * THREADS);
            }
            return null;
        });
    }

    private void copyThroughVram(int value) throws Exception {
        try (PushBuffer push = new PushBuffer(transport);
                HostMemory host = transport.allocateHost(2 * PAGE);
                var vram = transport.allocateVram(200 << 10)) {
            host.segment().set(ValueLayout.JAVA_INT, PAGE - 4, value);
            push.copy(vram.gpuVa(), host.gpuVa(), PAGE)
                    .copy(host.gpuVa() + PAGE, vram.gpuVa(), PAGE)
                    .run();
            assertEquals(value, host.segment().get(ValueLayout.JAVA_INT, 2 * PAGE - 4));
        }
    }

    private static void runOnThreads(Callable<Void> work) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                running.add(threads.submit(work));
            }
            for (Future<Void> each : running) {
                each.get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void givenNoEvent_whenAwaited_thenWaitEndsAtTimeout() throws Exception {
        transport.awaitNews(1);
        transport.awaitNews(1_000_000);
        transport.awaitNews(0);
    }

    @Test
    void givenInterruptedThread_whenEventIsAwaited_thenWaitThrows() throws Exception {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> transport.awaitNews(LONG_NS));
    }

    @Test
    void givenWaitingThread_whenTransportIsClosed_thenWaitThrows() throws Exception {
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<?> waiting =
                    threads.submit(() -> {
                        while (true) {
                            transport.awaitNews(LONG_NS);
                        }
                    });
            transport.close();
            Exception e = assertThrows(Exception.class, () -> waiting.get(20, TimeUnit.SECONDS));
            assertEquals(TransportException.class, e.getCause().getClass());
        }
    }

    @Test
    void givenAllChannelsOpen_whenAnotherChannelIsOpened_thenErrorNamesLimit() throws Exception {
        Set<Integer> ids = new HashSet<>();
        GpuChannel last = null;
        for (int i = 0; i < transport.limits().channels(); i++) {
            last = transport.openChannel();
            ids.add(last.id());
        }
        assertEquals(transport.limits().channels(), ids.size());

        TransportException e = assertThrows(TransportException.class, transport::openChannel);
        assertEquals("channels=129, limit=128", e.getMessage());

        last.close();
        assertEquals(last.id(), transport.openChannel().id());
    }

    @Test
    void givenBusyChannel_whenClosed_thenOtherChannelsContinue() throws Exception {
        TestKernel endless = new TestKernel(transport, TestKernel.ENDLESS);
        try (PushBuffer other = new PushBuffer(transport)) {
            for (int i = 0; i < 3; i++) {
                PushBuffer busy = new PushBuffer(transport);
                endless.launch(busy, 0).submit();
                other.rewind().run();

                busy.close();
                busy.close();

                other.rewind().run();
                assertNull(busy.channel.failure());
            }
        }
    }

    @Test
    void givenClosedChannel_whenDoorbellIsRung_thenCallHasNoEffect() {
        GpuChannel channel = transport.openChannel();
        channel.close();
        channel.ring();
        assertNull(channel.failure());
    }

    @Test
    void givenInvalidAddressesAndLengths_whenOffered_thenErrorNamesValues() {
        GpuChannel channel = transport.openChannel();

        assertMessage("gpuVa=0x1002, expected a multiple of 4", () -> channel.offer(0x1002, 1));
        assertMessage("gpuVa=0x10000000000, expected ", () -> channel.offer(1L << 40, 1));
        assertMessage("words=0, expected 1 to", () -> channel.offer(PAGE, 0));
        int most = GpfifoEntry.MAX_DWORDS;
        assertMessage(
                "words=%d, expected 1 to".formatted(most + 1), () -> channel.offer(PAGE, most + 1));
    }

    private static void assertMessage(String start, Runnable action) {
        String message = assertThrows(IllegalArgumentException.class, action::run).getMessage();
        assertTrue(message.startsWith(start), message);
    }

    @Test
    void givenWorkInProgress_whenTransportIsClosed_thenWorkEndsAndNewTransportCanBeOpened()
            throws Exception {
        TestKernel endless = new TestKernel(transport, TestKernel.ENDLESS);
        HostMemory gate = transport.allocateHost(PAGE);
        PushBuffer busy = new PushBuffer(transport);
        PushBuffer waiting = new PushBuffer(transport);
        endless.launch(busy, 0).submit();
        block(waiting, gate);
        waiting.submit();

        transport.close();

        assertThrows(TransportException.class, transport::openChannel);
        assertThrows(TransportException.class, () -> transport.allocateVram(PAGE));
        assertThrows(
                IllegalStateException.class, () -> gate.segment().get(ValueLayout.JAVA_INT, 0));
        busy.close();
        gate.close();
        try (NativeTransport again = NativeTransport.open(gpu.device());
                PushBuffer push = new PushBuffer(again)) {
            push.run();
        }
    }
}
