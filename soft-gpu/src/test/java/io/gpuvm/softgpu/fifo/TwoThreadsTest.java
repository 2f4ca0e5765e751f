package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.unit.LevelLine;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.ThreadWait;
import io.gpuvm.softgpu.engine.CopyPrograms;
import io.gpuvm.softgpu.engine.WorkCounter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Registers on the test's thread, engines on another thread.
class TwoThreadsTest {
    private static final long VA = 0x4000_0000L;
    private static final int PIECE = 1 << 20;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    private final TestGpu gpu = new TestGpu();
    private final Parking parking = new Parking(new ThreadWait());
    private final AgentThread engines =
            new AgentThread(
                    new Engines(), parking, AgentThread.NO_SPIN, error -> this.failure = error);
    private volatile Throwable failure;

    private final class Engines implements ParkingAgent {
        @Override
        public int doWork() {
            return gpu.fifo.doWork();
        }

        @Override
        public boolean mayPark() {
            return gpu.fifo.mayPark();
        }

        @Override
        public long nanosUntilWork() {
            return gpu.fifo.nanosUntilWork();
        }

        @Override
        public String roleName() {
            return "engines";
        }
    }

    @BeforeEach
    void startEngines() {
        gpu.fifo.wakes(parking);
        engines.start();
    }

    @AfterEach
    void close() {
        assertTrue(engines.end(Duration.ofNanos(LIMIT_NS)));
        gpu.close();
        assertNull(failure);
    }

    private void await(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertNull(failure);
            assertTrue(System.nanoTime() - start < LIMIT_NS, "time limit exceeded");
            Thread.onSpinWait();
        }
    }

    @Test
    void givenManyDoorbells_whenEngineThreadSleepsBetweenDoorbells_thenNoDoorbellIsLost() {
        TestChannel channel = TestChannel.running(gpu, 1);
        for (int i = 1; i <= 20_000; i++) {
            int count = i;
            channel.submit(new GpuProgram().reference(count));
            await(() -> channel.userd.refCount() == count);
        }
    }

    @Test
    void givenEndlessCopy_whenRegisterThreadRequestsEngines_thenEnginesAreHeld() {
        TestChannel channel = new TestChannel(gpu, 1).bind().start();
        channel.map(VA, 2 * PIECE);
        channel.submit(CopyPrograms.m2mfLines(VA, 0, VA + PIECE, 0, PIECE, -1));
        gpu.runlist(1);
        await(() -> Pfifo.STATUS_BUSY.isSet(gpu.read(Pfifo.ENGINE_STATUS.at(0))));

        for (int i = 0; i < 2000; i++) {
            gpu.fifo.invalidateTlb(0, 1);
        }
        channel.stop();
        gpu.write(Pfifo.PREEMPT, 1);
        channel.unbind();
        assertEquals(0, gpu.read(Pfifo.ENGINE_STATUS.at(0)));
    }

    @Test
    void givenCopiesFromHostMemory_whenMemoryIsMappedAndUnmapped_thenWordIsOldNewOrAllOnes() {
        long iova = 0x10_0000;
        MemFd file = gpu.file(PIECE);
        DmaMapping mapping = new DmaMapping(file.descriptor(), 0, PIECE, iova, true);
        TestChannel channel = new TestChannel(gpu, 1).bind().start();
        long vram = channel.map(VA, PIECE);
        channel.space.map(VA + PIECE, MemoryTarget.SYSTEM_COHERENT, iova, PIECE);
        channel.submit(CopyPrograms.m2mfLines(VA + PIECE, 0, VA, 0, PIECE, -1));
        gpu.runlist(1);
        for (int i = 0; i < 150; i++) {
            gpu.fifo.mapDma(mapping);
            gpu.memory.write(MemoryTarget.SYSTEM_COHERENT, iova, 4, 77);
            long before = gpu.count(WorkCounter.M2MF_BYTES);
            await(() -> gpu.count(WorkCounter.M2MF_BYTES) > before);
            gpu.fifo.unmapDma(iova, PIECE);
            int word = gpu.word(vram);
            assertTrue(word == 0 || word == 77 || word == -1, "word=" + word);
            assertEquals(0, gpu.dma.files().files());
        }
        channel.unbind();
    }

    @Test
    void givenMutuallyWaitingChannels_whenDoorbellsRace_thenChannelsAlternate() {
        long shared = gpu.allocate(TestGpu.PAGE_BYTES);
        TestChannel[] channels = new TestChannel[2];
        for (int i = 0; i < 2; i++) {
            channels[i] = new TestChannel(gpu, i).bind().start();
            channels[i].space.mapVram(VA, shared, TestGpu.PAGE_BYTES);
        }
        gpu.runlist(0, 1);
        for (int round = 1; round <= 2000; round++) {
            int value = 2 * round;
            channels[1].submit(
                    new GpuProgram()
                            .acquire(VA, value, ChannelClass.ACQUIRE_GREATER_EQUAL)
                            .release(VA + 16, value, false)
                            .reference(round));
            channels[0].submit(
                    new GpuProgram()
                            .release(VA, value, false)
                            .acquire(VA + 16, value, ChannelClass.ACQUIRE_EQUAL)
                            .reference(round));
            int count = round;
            await(() -> channels[0].userd.refCount() == count);
            await(() -> channels[1].userd.refCount() == count);
        }
    }

    @Test
    void givenNonStallInterrupts_whenAcknowledgedConcurrently_thenLastInterruptIsNotLost() {
        TestChannel channel = TestChannel.running(gpu, 1);
        gpu.write(Pfifo.RUNLIST_EVENT, -1);
        for (int i = 1; i <= 5000; i++) {
            int count = i;
            channel.submit(new GpuProgram().reference(count).interrupt());
            int done;
            do {
                // An acknowledged interrupt may remain visible for a moment: a spurious interrupt
                // is legal.
                await(() -> gpu.interrupted);
                gpu.write(Pfifo.ENGINE_INTR.at(0), gpu.read(Pfifo.ENGINE_INTR.at(0)));
                done = channel.userd.refCount();
            } while (done != count);
        }
        await(() -> !gpu.interrupted);
    }

    @Test
    void givenTwoThreadsChangingOneLevel_whenThreadsAreDone_thenLineFollowsLastChange()
            throws InterruptedException {
        int rounds = 20_000;
        AtomicInteger level = new AtomicInteger();
        boolean[] line = new boolean[1];
        LevelLine driver = new LevelLine(asserted -> line[0] = asserted, () -> level.get() != 0);
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        Thread other =
                new Thread(() -> {
                    for (int round = 1; round <= rounds; round++) {
                        int started = round;
                        await(() -> begun.get() >= started);
                        level.getAndUpdate(bits -> bits ^ 2);
                        driver.update();
                        ended.set(round);
                    }
                });
        other.start();
        for (int round = 1; round <= rounds; round++) {
            int started = round;
            begun.set(round);
            level.getAndUpdate(bits -> bits ^ 1);
            driver.update();
            await(() -> ended.get() >= started);
            assertEquals(level.get() != 0, line[0], "round=" + round);
        }
        other.join();
    }
}
