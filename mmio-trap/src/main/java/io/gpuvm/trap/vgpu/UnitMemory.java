package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.memory.MemoryPort;
import io.gpuvm.gf100.mmu.MemoryTarget;

/// Memory that the units of a virtual GPU access, with an observer of their reads of the guest's
/// memory. Confined to the virtual machine's thread.
final class UnitMemory implements MemoryPort {
    private final MemoryPort memory;
    private GuestMemoryTap tap = GuestMemoryTap.NONE;

    UnitMemory(MemoryPort memory) {
        this.memory = memory;
    }

    void onRead(GuestMemoryTap listener) {
        tap = listener;
    }

    @Override
    public long read(MemoryTarget target, long physicalAddress, int width) {
        long value = memory.read(target, physicalAddress, width);
        // VRAM is checked first, because it is the frequent case (PRAMIN).
        if (target != MemoryTarget.VRAM && target != null && target.isSystem()) {
            tap.onRead(physicalAddress, width, value);
        }
        return value;
    }

    @Override
    public void write(MemoryTarget target, long physicalAddress, int width, long value) {
        memory.write(target, physicalAddress, width, value);
    }
}
