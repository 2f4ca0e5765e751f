package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.softgpu.engine.CopyPrograms;
import io.gpuvm.softgpu.engine.WorkCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Long operations, and events that interrupt these operations.
class LongWorkTest {
    private static final long VA = 0x4000_0000L;
    private static final int PIECE = 1 << 20;

    /// Number of lines, 2^32 - 1 of 1 MiB each: a copy that no test waits for.
    private static final int FOREVER = -1;

    private final TestGpu gpu = new TestGpu();

    @AfterEach
    void close() {
        gpu.close();
    }

    private TestChannel endless(int id) {
        TestChannel channel = new TestChannel(gpu, id).bind().start();
        channel.map(VA, 2 * PIECE);
        channel.submit(CopyPrograms.m2mfLines(VA, 0, VA + PIECE, 0, PIECE, FOREVER).reference(1));
        return channel;
    }

    private void workAWhile() {
        for (int i = 0; i < 50; i++) {
            assertTrue(gpu.fifo.doWork() > 0);
        }
    }

    @Test
    void givenEndlessCopy_whenOtherChannelsHaveWork_thenOtherChannelsRun() {
        TestChannel endless = endless(1);
        TestChannel other = new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        for (int i = 1; i <= 10; i++) {
            other.submit(new GpuProgram().reference(i));
            workAWhile();
            assertEquals(i, other.userd.refCount());
        }
        assertEquals(0, endless.userd.refCount());
        assertTrue(gpu.count(WorkCounter.M2MF_BYTES) > PIECE);
    }

    @Test
    void givenEndlessCopy_whenChannelIsPreemptedAndUnbound_thenEngineIsFree() {
        TestChannel endless = endless(1);
        gpu.runlist(1);
        workAWhile();
        assertTrue(Pfifo.STATUS_BUSY.isSet(gpu.read(Pfifo.ENGINE_STATUS.at(0))));

        endless.stop();
        gpu.write(Pfifo.PREEMPT, 1);
        assertEquals(1, gpu.read(Pfifo.PREEMPT));
        assertEquals(0, gpu.read(Pfifo.ENGINE_STATUS.at(0)));
        endless.unbind();
        assertEquals(0, gpu.fifo.doWork());
    }

    @Test
    void givenPreemptedCopy_whenChannelMayRunAgain_thenCopyResumes() {
        TestChannel channel = new TestChannel(gpu, 1).bind().start();
        long vram = channel.map(VA, 8 * PIECE);
        gpu.runlist(1);
        for (int i = 0; i < 4 * PIECE; i += 4096) {
            gpu.word(vram + i, i + 1);
        }
        channel.submit(CopyPrograms.m2mfLinear(VA, VA + 4 * PIECE, 4 * PIECE).reference(1));
        while (gpu.count(WorkCounter.M2MF_BYTES) == 0) {
            gpu.fifo.doWork();
        }
        channel.stop();
        gpu.write(Pfifo.PREEMPT, 1);
        assertEquals(0, gpu.fifo.doWork());
        assertEquals(0, channel.userd.refCount());

        channel.start();
        gpu.run();
        assertEquals(1, channel.userd.refCount());
        assertEquals(4L * PIECE, gpu.count(WorkCounter.M2MF_BYTES));
        for (int i = 0; i < 4 * PIECE; i += 4096) {
            assertEquals(i + 1, gpu.word(vram + 4 * PIECE + i));
        }
    }

    @Test
    void givenEndlessCopyFromHostMemory_whenMemoryIsUnmapped_thenCopyReadsAllOnes() {
        long iova = 0x10_0000;
        gpu.mapHost(iova, PIECE);
        TestChannel channel = new TestChannel(gpu, 1).bind().start();
        long vram = channel.map(VA, PIECE);
        channel.space.map(VA + PIECE, MemoryTarget.SYSTEM_COHERENT, iova, PIECE);
        channel.submit(CopyPrograms.m2mfLines(VA + PIECE, 0, VA, 0, PIECE, FOREVER));
        gpu.runlist(1);
        workAWhile();
        assertEquals(0, gpu.word(vram + 8));

        gpu.fifo.unmapDma(iova, PIECE);
        assertEquals(0, gpu.dma.files().files());
        workAWhile();
        assertEquals(-1, gpu.word(vram + 8));
    }

    @Test
    void givenEndlessCopy_whenPageMovesAndTlbIsFlushed_thenCopyUsesNewPage() {
        TestChannel channel = endless(1);
        gpu.runlist(1);
        workAWhile();
        long elsewhere = gpu.allocate(TestGpu.PAGE_BYTES);
        gpu.word(elsewhere, 0);
        channel.space.mapVram(VA + PIECE, elsewhere, TestGpu.PAGE_BYTES);
        long source = gpu.allocate(TestGpu.PAGE_BYTES);
        gpu.word(source, 4711);
        channel.space.mapVram(VA, source, TestGpu.PAGE_BYTES);
        gpu.fifo.invalidateTlb(0, 1);
        workAWhile();
        assertEquals(4711, gpu.word(elsewhere));
    }

    @Test
    void givenEndlessCopy_whenEngineIsReset_thenCopyIsAbandoned() {
        TestChannel endless = endless(1);
        gpu.runlist(1);
        workAWhile();
        gpu.fifo.resetEngines(1 << 12);
        assertEquals(0, gpu.read(Pfifo.ENGINE_STATUS.at(0)));
        gpu.run();
        assertEquals(1, endless.userd.refCount());
    }

    @Test
    void givenUnfinishedCopy_whenEngineIsFrozen_thenCopyWaitsForThaw() {
        endless(1);
        gpu.runlist(1);
        workAWhile();
        gpu.write(Pfifo.ENGINE_FREEZE, 1);
        assertEquals(0, gpu.fifo.doWork());
        long bytes = gpu.count(WorkCounter.M2MF_BYTES);
        gpu.write(Pfifo.ENGINE_FREEZE, 0);
        workAWhile();
        assertTrue(gpu.count(WorkCounter.M2MF_BYTES) > bytes);
    }

    @Test
    void givenLongestSegmentInOnePage_whenRead_thenOtherChannelRunsBetweenSlices() {
        TestChannel channel = new TestChannel(gpu, 1).bind().start();
        TestChannel other = new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        long nops = gpu.allocate(TestGpu.PAGE_BYTES);
        for (int i = 0; i < TestGpu.PAGE_BYTES; i += 4) {
            gpu.word(nops + i, MethodHeader.immediate(0, ChannelClass.NOP, 0));
        }
        long start = 0x8000_0000L;
        for (long va = start; va < start + (8L << 20); va += TestGpu.PAGE_BYTES) {
            channel.space.mapVram(va, nops, TestGpu.PAGE_BYTES);
        }
        channel.enter(GpfifoEntry.of(start, GpfifoEntry.MAX_DWORDS)).ring();
        gpu.fifo.doWork();
        other.submit(new GpuProgram().reference(1));
        gpu.fifo.doWork();
        assertEquals(1, other.userd.refCount());
        gpu.run();
        assertTrue(channel.isRead());
        assertEquals(GpfifoEntry.MAX_DWORDS + 1, gpu.count(WorkCounter.METHODS));
    }

    @Test
    void givenPendingWork_whenClosed_thenNoWorkRuns() {
        endless(1);
        gpu.runlist(1);
        workAWhile();
        gpu.fifo.close();
        assertEquals(0, gpu.fifo.doWork());
        assertFalse(gpu.interrupted);
    }
}
