package io.gpuvm.gf100.memory;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Physical memory with a watcher for writes to VRAM.
public final class WatchedMemory implements MemoryPort {
    private final PhysicalMemory memory;
    private final WriteWatcher watcher;

    public WatchedMemory(PhysicalMemory memory, WriteWatcher watcher) {
        this.memory = memory;
        this.watcher = watcher;
    }

    @Override
    public long read(MemoryTarget target, long physicalAddress, int width) {
        return memory.read(target, physicalAddress, width);
    }

    @Override
    public void write(MemoryTarget target, long physicalAddress, int width, long value) {
        memory.write(target, physicalAddress, width, value);
        if (target == MemoryTarget.VRAM && memory.isVram(physicalAddress, width)) {
            watcher.onWrite(physicalAddress, width);
        }
    }
}
