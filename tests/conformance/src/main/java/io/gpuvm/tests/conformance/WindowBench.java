package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import java.util.Optional;

/// Shared window, its mapping in the other process, and VRAM through PRAMIN. Tests are skipped on
/// devices without shared windows.
final class WindowBench {
    static final int PAGE = (int) Bench.PAGE_BYTES;
    static final int PAGES = 16;

    final SharedWindow window;

    /// View of the other process.
    final ForeignView seen;

    private final Bench bench;
    private final MemoryWay pramin;

    WindowBench(Bench bench) {
        this.bench = bench;
        window = open();
        seen = bench.keep(new ForeignView(window.exported()));
        pramin = MemoryWay.pramin(bench);
    }

    /// Opens a window; skips the test if the device has no shared windows.
    SharedWindow open() {
        Optional<SharedWindow> opened = bench.gpu.openSharedWindow((long) PAGES * PAGE);
        assumeTrue(opened.isPresent(), "the device has no shared windows");
        return bench.keep(opened.get());
    }

    /// Returns an entry for a page of VRAM.
    static long entry(long vramOffset) {
        return PageTableEntry.of(MemoryTarget.VRAM, vramOffset);
    }

    void show(int page, long vramOffset) {
        window.set(page, entry(vramOffset));
        window.flush();
    }

    /// Reads a word of VRAM.
    int word(long vramOffset) {
        return (int) pramin.read(vramOffset - Bench.VRAM_DATA, Integer.BYTES);
    }

    void word(long vramOffset, int value) {
        pramin.write(vramOffset - Bench.VRAM_DATA, Integer.BYTES, value);
    }
}
