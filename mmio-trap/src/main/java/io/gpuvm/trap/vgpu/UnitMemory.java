package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.memory.MemoryPort;
import io.gpuvm.gf100.mmu.MemoryTarget;

/// The memory that the units of a virtual GPU reach, with somebody who is told of what they read of
/// the guest's. Confined to the virtual machine's thread.
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
        // VRAM first: PRAMIN's way, which is the one that is much used.
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
