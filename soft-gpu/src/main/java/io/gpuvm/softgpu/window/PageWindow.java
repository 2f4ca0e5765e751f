package io.gpuvm.softgpu.window;

import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.memory.VramHomes;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.softgpu.engine.WorkCounter;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// Window to VRAM with a separate file, which contains the pages of VRAM that the window shows.
///
/// Pages move in steps of a few pages, with the engines held. Between two steps, every page is
/// complete and in one file, but the engines seldom run, because the register thread has
/// precedence. A caller should therefore not set thousands of pages before one flush.
final class PageWindow implements SharedWindow {
    /// Number of pages per step. A step takes about 100 µs, or several times as long if Linux must
    /// allocate the memory first.
    private static final int PAGES_PER_STEP = 128;

    private static final int NONE = PendingEntries.NONE;

    private final SharedWindows windows;
    private final VramHomes homes;
    private final SealedFile file;
    private final long bytes;
    private final int number;
    private final PendingEntries entries;

    /// Page of VRAM that last moved into the window, by page of the window; [#NONE] if none has.
    /// The page of VRAM may have moved elsewhere since then.
    private final int[] shown;

    private final Runnable step = this::step;

    // Progress of a flush: first, pages that are no longer to be shown leave; then other pages
    // enter in the order of their entries, so that later entries take precedence.
    private int going;
    private int coming;
    private int copied;

    private boolean closed;

    PageWindow(SharedWindows windows, VramHomes homes, SealedFile file) {
        this.windows = windows;
        this.homes = homes;
        this.file = file;
        bytes = file.memory().byteSize();
        number = homes.open(file.memory());
        int pages = Math.toIntExact(bytes >>> VramHomes.PAGE_SHIFT);
        entries = new PendingEntries(pages);
        shown = new int[pages];
        Arrays.fill(shown, NONE);
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public Exported exported() {
        return new Exported(file.descriptor(), 0, bytes);
    }

    @Override
    public MemorySegment memory() {
        return file.memory();
    }

    @Override
    public void set(int page, long entry) {
        Objects.checkIndex(page, shown.length);
        boolean shows =
                PageTableEntry.isPresent(entry)
                        && PageTableEntry.target(entry) == MemoryTarget.VRAM;
        entries.set(page, shows ? vramPage(PageTableEntry.physicalAddress(entry)) : NONE);
    }

    private int vramPage(long vramOffset) {
        Objects.checkIndex(vramOffset, homes.pages().bytes());
        return (int) (vramOffset >>> VramHomes.PAGE_SHIFT);
    }

    @Override
    public int flush() {
        copied = 0;
        going = entries.first();
        coming = going;
        while (coming != NONE) {
            windows.relocate(step);
        }
        entries.settle();
        return copied;
    }

    private void step() {
        int left = PAGES_PER_STEP;
        for (; going != NONE && left > 0; left--) {
            sendBack(going);
            going = entries.after(going);
        }
        for (; coming != NONE && left > 0; left--) {
            show(coming);
            coming = entries.after(coming);
        }
    }

    private void sendBack(int page) {
        if (isShown(page) && shown[page] != entries.wanted(page)) {
            homes.moveBack(shown[page]);
            copied++;
            windows.count(WorkCounter.WINDOW_PAGES_RETURNED);
        }
    }

    private void show(int page) {
        int vramPage = entries.wanted(page);
        if (vramPage == NONE || homes.isAt(vramPage, number, page)) {
            return;
        }
        if (homes.isAway(vramPage)) {
            windows.count(WorkCounter.WINDOW_PAGES_TAKEN);
        }
        homes.move(vramPage, number, page);
        shown[page] = vramPage;
        copied++;
        windows.count(WorkCounter.WINDOW_PAGES_SHOWN);
    }

    private boolean isShown(int page) {
        return shown[page] != NONE && homes.isAt(shown[page], number, page);
    }

    @Override
    public void clear() {
        windows.relocate(this::abandonAll);
        file.clear();
    }

    private void abandonAll() {
        for (int page = 0; page < shown.length; page++) {
            if (isShown(page)) {
                homes.abandon(shown[page]);
            }
        }
        Arrays.fill(shown, NONE);
        entries.forget();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        for (int page = 0; page < shown.length; page++) {
            entries.set(page, NONE);
        }
        flush();
        windows.remove(this);
        release();
    }

    /// Releases the memory, including the pages that the window shows.
    void release() {
        closed = true;
        homes.close(number);
        file.close();
    }

    @Override
    public String toString() {
        return "shared window of %d bytes".formatted(bytes);
    }
}
