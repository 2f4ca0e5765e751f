package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.mmu.MemoryTarget;

/// Access by the GPU to words at bus addresses, by copies.
final class DmaProbe {
    private static final int WORD = Integer.BYTES;

    /// GPU virtual address at which the accessed page is mapped.
    private static final long PROBE_VA = Bench.HOST_VA + 8 * Bench.MIB - Bench.PAGE_BYTES;

    private final Bench bench;
    private final TestChannel channel;
    private final long scratch;

    DmaProbe(Bench bench) {
        this.bench = bench;
        channel = bench.running(0);
        scratch = bench.allocate(Bench.PAGE_BYTES);
    }

    int read(long iova) {
        bench.host().word(scratch, 0);
        channel.run(new Program().copy(ClassId.M2MF, show(iova), Bench.HOST_VA + scratch, WORD));
        return bench.host().word(scratch);
    }

    void write(long iova, int value) {
        bench.host().word(scratch, value);
        channel.run(new Program().copy(ClassId.M2MF, Bench.HOST_VA + scratch, show(iova), WORD));
    }

    private long show(long iova) {
        long into = iova % Bench.PAGE_BYTES;
        bench.space()
                .map(PROBE_VA, MemoryTarget.SYSTEM_COHERENT, iova - into, Bench.PAGE_BYTES)
                .flush();
        return PROBE_VA + into;
    }
}
