package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Page tables in the host memory of a [Bench].
final class HostTables implements TableMemory {
    private final Bench bench;

    HostTables(Bench bench) {
        this.bench = bench;
    }

    @Override
    public MemoryTarget target() {
        return MemoryTarget.SYSTEM_COHERENT;
    }

    @Override
    public long allocate(long bytes) {
        return bench.hostIova(bench.allocate(bytes));
    }

    @Override
    public void write(long physicalAddress, long entry) {
        bench.host().quad(physicalAddress - bench.hostIova(0), entry);
    }
}
