package io.gpuvm.softgpu.bus;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.unit.MemoryPort;
import io.gpuvm.softgpu.memory.PhysicalMemory;

/// The units' view of memory.
record PhysicalMemoryPort(PhysicalMemory memory) implements MemoryPort {
    @Override
    public long read(MemoryTarget target, long physicalAddress, int width) {
        return memory.read(target, physicalAddress, width);
    }

    @Override
    public void write(MemoryTarget target, long physicalAddress, int width, long value) {
        memory.write(target, physicalAddress, width, value);
    }
}
