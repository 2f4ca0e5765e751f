package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pfifo;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/// Virtual machine that shares the GPU with the machine under test and must not be affected.
///
/// During each test, one of its channels waits for a semaphore, and another channel has a pending
/// copy. Afterwards its memory, and its VRAM next to the other machine's share, are compared with
/// their previous content.
final class Neighbour implements AutoCloseable {
    private static final int CANARY_BYTES = 128 << 10;

    /// GPU virtual address of the last part of the neighbour's VRAM.
    private static final long EDGE_VA = Bench.VRAM_VA + (1L << 28);

    private static final int WORKER = 1;
    private static final int WAITER = 2;
    private static final long SEED = 1969;

    private final DrivenGpu gpu;
    private final Bench bench;
    private final byte[] canary = new byte[CANARY_BYTES];
    private final long source;
    private final long target;
    private final long semaphore;
    private final TestChannel worker;
    private final TestChannel waiter;
    private int beat;

    Neighbour(Place place) {
        gpu = new DrivenGpu(place);
        bench = new Bench(gpu);
        source = bench.allocate(CANARY_BYTES);
        target = bench.allocate(CANARY_BYTES);
        semaphore = bench.allocate(Bench.PAGE_BYTES);
        new Random(SEED).nextBytes(canary);
        memory(source).copyFrom(MemorySegment.ofArray(canary));
        long edge = bench.gpu.vramBytes() - CANARY_BYTES;
        bench.space().map(EDGE_VA, MemoryTarget.VRAM, edge, CANARY_BYTES);
        worker = bench.channel(WORKER).start();
        waiter = bench.channel(WAITER).start();
        bench.runlist(WORKER, WAITER);
        worker.run(copy(Bench.HOST_VA + source, Bench.VRAM_VA));
        worker.run(copy(Bench.HOST_VA + source, EDGE_VA));
    }

    /// Submits a copy, and a wait for a semaphore.
    void beforeTest() {
        beat++;
        memory(target).fill((byte) 0);
        waiter.submit(
                new Program()
                        .acquire(
                                Bench.HOST_VA + semaphore, beat, ChannelClass.ACQUIRE_GREATER_EQUAL)
                        .reference(beat));
        worker.submit(copy(EDGE_VA, Bench.HOST_VA + target).reference(beat));
    }

    /// Fails if the test has changed the neighbour's state.
    void afterTest() {
        bench.await("neighbour's copy", () -> worker.userd.refCount() == beat);
        assertIntact("end of the neighbour's VRAM", target);
        assertIntact("neighbour's memory", source);
        worker.run(copy(Bench.VRAM_VA, Bench.HOST_VA + target));
        assertIntact("neighbour's VRAM", target);
        bench.host().word(semaphore, beat);
        bench.await("neighbour's wait", () -> waiter.userd.refCount() == beat);
        assertEquals(0, bench.read(Pfifo.VM_FAULT_SOURCE), "neighbour's faults");
        assertEquals(0, bench.read(Pfifo.INTR) & ~Pfifo.INTR_RUNLIST.mask(), "neighbour's reports");
    }

    @Override
    public void close() {
        bench.close();
        gpu.close();
    }

    private void assertIntact(String what, long offset) {
        long mismatch = memory(offset).mismatch(MemorySegment.ofArray(canary));
        assertEquals(-1, mismatch, what);
    }

    private MemorySegment memory(long offset) {
        return bench.host().segment().asSlice(offset, CANARY_BYTES);
    }

    private static Program copy(long from, long to) {
        return new Program().copy(ClassId.M2MF, from, to, CANARY_BYTES);
    }
}
