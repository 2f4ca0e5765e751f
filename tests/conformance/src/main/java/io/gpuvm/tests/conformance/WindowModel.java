package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Model of [io.gpuvm.gf100.device.SharedWindow] in plain arrays: the bytes of some pages of VRAM,
/// and of the windows that show them.
final class WindowModel {
    /// Value for the absence of a page of VRAM.
    static final int NOTHING = -1;

    /// Model of one window.
    static final class Window {
        /// Content of the window's own memory by page, for pages that show no VRAM.
        private final MemorySegment[] held;

        /// Page of VRAM that a page of the window shows, by page of the window; [#NOTHING] if it
        /// shows none.
        private final int[] shown;

        private final Map<Integer, Integer> set = new LinkedHashMap<>();

        Window(int pages) {
            held = new MemorySegment[pages];
            Arrays.setAll(held, _ -> page());
            shown = new int[pages];
            Arrays.fill(shown, NOTHING);
        }

        int shown(int page) {
            return shown[page];
        }

        void set(int page, int vramPage) {
            set.remove(page);
            set.put(page, vramPage);
        }
    }

    private final MemorySegment[] vram;
    private final List<Window> windows;
    private long doubles;

    WindowModel(int vramPages, List<Window> windows) {
        vram = new MemorySegment[vramPages];
        Arrays.setAll(vram, _ -> page());
        this.windows = windows;
    }

    private static MemorySegment page() {
        return MemorySegment.ofArray(new long[(int) Bench.PAGE_BYTES / Long.BYTES]);
    }

    /// Returns the bytes of a page of VRAM.
    MemorySegment vram(int page) {
        return vram[page];
    }

    /// Returns the expected bytes of a page of a window.
    MemorySegment seen(Window window, int page) {
        int shown = window.shown[page];
        return shown == NOTHING ? window.held[page] : vram[shown];
    }

    long read(long offset, int width) {
        return Words.read(vram[pageOf(offset)], offset % Bench.PAGE_BYTES, width);
    }

    void write(long offset, int width, long value) {
        Words.write(vram[pageOf(offset)], offset % Bench.PAGE_BYTES, width, value);
    }

    /// Copies bytes as an engine does, between ranges that do not overlap.
    void copy(long source, long target, int bytes) {
        for (int i = 0; i < bytes; i++) {
            write(target + i, 1, read(source + i, 1));
        }
    }

    /// Returns the number of times that a page of VRAM was withdrawn from a window page whose entry
    /// still named it.
    long doubles() {
        return doubles;
    }

    /// @return number of pages that must be copied
    int flush(Window window) {
        int copies = 0;
        for (Map.Entry<Integer, Integer> entry : window.set.entrySet()) {
            int page = entry.getKey();
            if (window.shown[page] != NOTHING && window.shown[page] != entry.getValue()) {
                leave(window, page);
                copies++;
            }
        }
        for (Map.Entry<Integer, Integer> entry : window.set.entrySet()) {
            int page = entry.getKey();
            if (window.shown[page] != entry.getValue()) {
                takeAway(entry.getValue());
                window.shown[page] = entry.getValue();
                copies++;
            }
        }
        window.set.clear();
        return copies;
    }

    /// Closes and reopens a window. VRAM retains all bytes.
    void reopen(Window window) {
        for (int page = 0; page < window.shown.length; page++) {
            window.shown[page] = NOTHING;
            window.held[page].fill((byte) 0);
        }
        window.set.clear();
    }

    private void takeAway(int vramPage) {
        for (Window window : windows) {
            for (int page = 0; page < window.shown.length; page++) {
                if (window.shown[page] == vramPage) {
                    leave(window, page);
                    doubles++;
                }
            }
        }
    }

    private void leave(Window window, int page) {
        window.held[page].copyFrom(vram[window.shown[page]]);
        window.shown[page] = NOTHING;
    }

    private static int pageOf(long offset) {
        return (int) (offset / Bench.PAGE_BYTES);
    }
}
