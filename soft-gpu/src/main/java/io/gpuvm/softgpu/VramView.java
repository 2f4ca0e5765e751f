package io.gpuvm.softgpu;

import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.softgpu.memory.Vram;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A window to the software GPU's VRAM: simply a part of it. Any number may be open.
final class VramView implements VramWindow {
    private final Vram vram;
    private final long bytes;
    private MemorySegment memory;

    VramView(Vram vram, long bytes) {
        this.vram = vram;
        this.bytes = bytes;
        point(0);
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void point(long vramOffset) {
        Objects.checkFromIndexSize(vramOffset, bytes, vram.bytes());
        memory = vram.memory().asSlice(vramOffset, bytes);
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public void close() {}
}
