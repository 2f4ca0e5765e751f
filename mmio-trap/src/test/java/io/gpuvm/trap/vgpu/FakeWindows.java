package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.RequestQueue;
import io.gpuvm.port.VramShare;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// Fake owner of a GPU that implements only windows. The windows record their contents; as in
/// [SharedWindow], the page that was set last shows a page of VRAM.
final class FakeWindows {
    static final int NOTHING = -1;

    private static final int PAGE_SHIFT = 12;

    private final RequestQueue queue = new RequestQueue("fake", this::drain);
    private final VramShare share;
    private final List<Window> open = new ArrayList<>();

    /// Window that was last set to a page of VRAM, by page of VRAM; null if none was.
    private final Window[] showing;

    /// Page of the window in [#showing], by page of VRAM.
    private final int[] pages;

    private boolean has = true;
    private int updates;
    private Runnable onShow = () -> {};

    FakeWindows(VramShare share) {
        this.share = share;
        showing = new Window[(int) (share.bytes() >>> PAGE_SHIFT)];
        pages = new int[showing.length];
    }

    /// Returns the port for requests. Each request is carried out before its call returns.
    GpuRequests requests() {
        return queue.requests();
    }

    private void drain() {
        queue.drain(handler(), Integer.MAX_VALUE);
    }

    /// Returns a handler of requests for windows and resets; it ignores all other requests.
    private GpuRequests.Handler handler() {
        return (GpuRequests.Handler)
                Proxy.newProxyInstance(
                        GpuRequests.Handler.class.getClassLoader(),
                        new Class<?>[] {GpuRequests.Handler.class},
                        (_, method, arguments) -> {
                            switch (method.getName()) {
                                case "onOpenWindow" -> {
                                    return openWindow((long) arguments[0]);
                                }
                                case "onShowWindows" -> showWindows();
                                case "onCloseWindows" -> closeWindows();
                                case "onReset" -> resetWindows();
                                default -> {}
                            }
                            return null;
                        });
    }

    /// Sets whether windows can be opened.
    void has(boolean windows) {
        has = windows;
    }

    /// Sets an action that runs at each request to move pages.
    void onShow(Runnable action) {
        onShow = action;
    }

    Window bar3() {
        return open.getFirst();
    }

    Window bar0() {
        return open.get(1);
    }

    Window bar1() {
        return open.get(2);
    }

    /// Returns the number of requests to move pages.
    int updates() {
        return updates;
    }

    private Optional<SharedWindow> openWindow(long bytes) {
        if (!has) {
            return Optional.empty();
        }
        Window window = new Window(bytes);
        open.add(window);
        return Optional.of(window);
    }

    private void showWindows() {
        updates++;
        onShow.run();
        open.forEach(Window::flush);
    }

    private void closeWindows() {
        open.forEach(Window::close);
        open.clear();
    }

    private void resetWindows() {
        open.forEach(Window::clear);
    }

    /// Window that records the page of VRAM set for each of its pages. Shows no VRAM contents.
    final class Window implements SharedWindow {
        private final long bytes;
        private final int[] wanted;
        private final BitSet pending = new BitSet();
        private MemorySegment memory;
        private boolean closed;

        private Window(long bytes) {
            this.bytes = bytes;
            wanted = new int[(int) (bytes >>> PAGE_SHIFT)];
            Arrays.fill(wanted, NOTHING);
        }

        /// Returns the guest's page of VRAM that a page shows, or [#NOTHING].
        int shown(int page) {
            int vram = wanted[page];
            return vram != NOTHING && showing[vram] == this && pages[vram] == page ? vram : NOTHING;
        }

        /// Returns the number of pages set since the last flush.
        int pending() {
            return pending.cardinality();
        }

        boolean isClosed() {
            return closed;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public Exported exported() {
            return new Exported(0, 0, bytes);
        }

        @Override
        public MemorySegment memory() {
            if (memory == null) {
                memory = Arena.ofAuto().allocate(bytes);
            }
            return memory;
        }

        @Override
        public void set(int page, long entry) {
            boolean vram =
                    PageTableEntry.isPresent(entry)
                            && PageTableEntry.target(entry) == MemoryTarget.VRAM;
            long address = PageTableEntry.physicalAddress(entry);
            wanted[page] = vram ? (int) (share.toGuest(address) >>> PAGE_SHIFT) : NOTHING;
            pending.set(page);
        }

        @Override
        public int flush() {
            pending.stream()
                    .filter(page -> wanted[page] != NOTHING)
                    .forEach(page -> {
                        showing[wanted[page]] = this;
                        pages[wanted[page]] = page;
                    });
            pending.clear();
            return 0;
        }

        @Override
        public void clear() {
            Arrays.fill(wanted, NOTHING);
            pending.clear();
            if (memory != null) {
                memory.fill((byte) 0);
            }
        }

        @Override
        public void close() {
            clear();
            closed = true;
        }
    }
}
