package io.gpuvm.softgpu;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.memory.VramPages;
import io.gpuvm.softgpu.memory.Vram;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Window to the software GPU's VRAM: a direct view of a range. The number of open windows is not
/// limited.
final class VramView implements VramWindow {
    /// Granularity of a window, as on hardware.
    private static final long PAGE_BYTES = 4096;

    private final Vram vram;
    private final long bytes;
    private MemorySegment memory;
    private VramPages pages;

    VramView(Vram vram, long bytes) {
        this.vram = vram;
        this.bytes = checkPages("bytes", bytes);
        if (bytes <= 0) {
            throw new IllegalArgumentException("bytes=%d, expected more than 0".formatted(bytes));
        }
        if (bytes > vram.bytes()) {
            throw new GpuDeviceException(
                    "window bytes=%#x, limit=%#x (VRAM)".formatted(bytes, vram.bytes()));
        }
        point(0);
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void point(long vramOffset) {
        Objects.checkFromIndexSize(checkPages("vramOffset", vramOffset), bytes, vram.bytes());
        memory = vram.memory().asSlice(vramOffset, bytes);
        pages = vram.pages().part(vramOffset, bytes);
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public VramPages pages() {
        return pages;
    }

    @Override
    public void close() {}

    private static long checkPages(String name, long value) {
        if (value % PAGE_BYTES != 0) {
            throw new IllegalArgumentException(
                    "%s=%d, expected a multiple of %d".formatted(name, value, PAGE_BYTES));
        }
        return value;
    }
}
