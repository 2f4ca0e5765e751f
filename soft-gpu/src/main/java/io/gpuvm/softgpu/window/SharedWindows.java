package io.gpuvm.softgpu.window;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.memory.VramHomes;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.engine.WorkCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Shared windows of a GPU.
///
/// Confined to the register thread.
public final class SharedWindows implements AutoCloseable {
    private static final long PAGE_BYTES = VramHomes.PAGE_BYTES;

    private final VramHomes homes;
    private final Consumer<Runnable> relocate;
    private final WorkCounters counters;
    private final List<PageWindow> windows = new ArrayList<>();

    /// @param homes locations of the pages of VRAM
    /// @param relocate runs a change while no part of the GPU accesses VRAM, and invalidates all
    ///   cached locations of pages
    /// @param counters counters of moved pages
    public SharedWindows(VramHomes homes, Consumer<Runnable> relocate, WorkCounters counters) {
        this.homes = homes;
        this.relocate = relocate;
        this.counters = counters;
    }

    /// Opens a window; see [io.gpuvm.gf100.device.PhysicalGpu#openSharedWindow].
    public SharedWindow open(long bytes) {
        if (bytes <= 0 || bytes % PAGE_BYTES != 0) {
            throw new IllegalArgumentException(
                    "bytes=%d, expected a multiple of %d, more than 0"
                            .formatted(bytes, PAGE_BYTES));
        }
        if (bytes > VramHomes.MAX_WINDOW_BYTES || windows.size() == VramHomes.MAX_WINDOWS) {
            throw new GpuDeviceException(
                    "bytes=%#x, limit=%#x; open windows=%d, limit=%d"
                            .formatted(
                                    bytes,
                                    VramHomes.MAX_WINDOW_BYTES,
                                    windows.size(),
                                    VramHomes.MAX_WINDOWS));
        }
        try {
            PageWindow window = new PageWindow(this, homes, SealedFile.create(bytes));
            windows.add(window);
            return window;
        } catch (LinuxException e) {
            throw new GpuDeviceException("cannot create a window, bytes=%#x".formatted(bytes), e);
        }
    }

    /// Makes every window show no page, and zeroes the memory of all windows.
    public void clear() {
        windows.forEach(PageWindow::clear);
    }

    /// Releases all windows, including the pages that they show, when the GPU is closed.
    @Override
    public void close() {
        windows.forEach(PageWindow::release);
        windows.clear();
    }

    /// Runs a change while no part of the GPU accesses VRAM, and invalidates all translations.
    void relocate(Runnable change) {
        relocate.accept(change);
    }

    void count(WorkCounter what) {
        counters.increment(what);
    }

    void remove(PageWindow window) {
        windows.remove(window);
    }
}
