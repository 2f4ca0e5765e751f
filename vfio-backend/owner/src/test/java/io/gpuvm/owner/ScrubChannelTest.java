package io.gpuvm.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.VramWindow;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScrubChannelTest {
    private static final long MIB = 1L << 20;
    private static final byte SECRET = 0x5a;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    private final SharedGpuBench bench = new SharedGpuBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void givenVramOfDepartedGuest_whenZeroed_thenRangeIsZeroAndNeighboursAreUnchanged() {
        ScrubChannel scrub = bench.scrubChannel(LIMIT_NS, bench::turn);
        try (VramWindow window = bench.gpu.openWindow(bench.gpu.vramBytes())) {
            MemorySegment vram = window.memory().fill(SECRET);
            long start = 3 * MIB;
            long bytes = 33 * MIB + 4096;

            scrub.zero(start, bytes);

            MemorySegment zeros = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
            assertEquals(-1, vram.asSlice(start, bytes).mismatch(zeros));
            assertEquals(SECRET, vram.get(ValueLayout.JAVA_BYTE, start - 1));
            assertEquals(SECRET, vram.get(ValueLayout.JAVA_BYTE, start + bytes));
        }
    }

    @Test
    void givenGuestWithWork_whenVramIsZeroed_thenBothAreScheduledAndOnlyGuestIsReported() {
        List<String> heard = new ArrayList<>();
        bench.owner.onCommands(heardIn(heard));
        ScrubChannel scrub = bench.scrubChannel(LIMIT_NS, bench::turn);
        TestGuest guest = bench.guest("vm0").open(0);
        guest.list(0);
        guest.submit(0, 1, TestGuest.graphCopyWords(1000));

        scrub.zero(0, MIB);
        bench.runUntil("the guest's command", () -> heard.contains("completed 0"));

        assertEquals(List.of("submitted 0", "started 0", "completed 0"), heard);
    }

    @Test
    void givenUnresponsiveGpu_whenZeroed_thenCurrentAndNextCallFail() {
        ScrubChannel scrub = bench.scrubChannel(1, () -> {});

        GpuDeviceException error =
                assertThrows(GpuDeviceException.class, () -> scrub.zero(MIB, MIB));

        assertTrue(error.getMessage().startsWith("VRAM at 0x100000 is not zeroed"));
        assertThrows(GpuDeviceException.class, () -> scrub.zero(0, MIB));
    }

    @Test
    void givenTimedOutCall_whenOwnerWorksAgain_thenNextCallZeroesVram() {
        AtomicBoolean works = new AtomicBoolean();
        ScrubChannel scrub =
                bench.scrubChannel(
                        TimeUnit.SECONDS.toNanos(1),
                        () -> {
                            if (works.get()) {
                                bench.turn();
                            }
                        });
        assertThrows(GpuDeviceException.class, () -> scrub.zero(MIB, MIB));
        works.set(true);
        try (VramWindow window = bench.gpu.openWindow(2 * MIB)) {
            MemorySegment vram = window.memory().fill(SECRET);

            scrub.zero(0, MIB);

            assertEquals(-1, vram.mismatch(MemorySegment.ofArray(new byte[(int) (2 * MIB)])));
        }
    }

    @Test
    void givenWaitingCaller_whenStopped_thenCallFailsImmediately() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        ScrubChannel scrub = bench.scrubChannel(LIMIT_NS, waits::countDown);
        CompletableFuture<Void> zeroing =
                CompletableFuture.runAsync(() -> scrub.zero(0, MIB), Thread::startVirtualThread);
        waits.await();

        scrub.stop();

        ExecutionException told =
                assertThrows(ExecutionException.class, () -> zeroing.get(10, TimeUnit.SECONDS));
        assertTrue(told.getCause().getMessage().endsWith("the backend is shutting down"));
    }

    private static CommandTap heardIn(List<String> heard) {
        return new CommandTap() {
            @Override
            public void onSubmitted(int vm, int session, int channel, int engine, long nowNs) {
                heard.add("submitted " + vm);
            }

            @Override
            public void onStarted(int vm, int channel, int engine, long nowNs) {
                heard.add("started " + vm);
            }

            @Override
            public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {
                heard.add("completed " + vm);
            }
        };
    }
}
