package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.shadow.GpuRequests;
import io.gpuvm.shadow.VramShare;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// An owner of a GPU that has windows and nothing else. The windows remember what they show; by the
/// rule of [SharedWindow], a page of VRAM is shown by the page that was set last.
final class FakeWindows implements GpuRequests {
    static final int NOTHING = -1;

    private static final int PAGE_SHIFT = 12;

    private final VramShare share;
    private final List<Window> open = new ArrayList<>();
    private boolean has = true;
    private int updates;
    private Runnable onShow = () -> {};

    FakeWindows(VramShare share) {
        this.share = share;
    }

    /// Whether windows can be opened.
    void has(boolean windows) {
        has = windows;
    }

    /// What happens whenever pages are to be moved.
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

    /// How often pages were to be moved.
    int updates() {
        return updates;
    }

    @Override
    public Optional<SharedWindow> openWindow(long bytes) {
        if (!has) {
            return Optional.empty();
        }
        Window window = new Window(bytes);
        open.add(window);
        return Optional.of(window);
    }

    @Override
    public void showWindows() {
        updates++;
        onShow.run();
        open.forEach(Window::flush);
    }

    @Override
    public void closeWindows() {
        open.forEach(Window::close);
        open.clear();
    }

    @Override
    public void bind(int channel, long instanceIova, long userdIova) {}

    @Override
    public void unbind(int channel) {}

    @Override
    public void run(int channel, boolean runnable) {}

    @Override
    public void runlist(int[] channels, int count) {}

    @Override
    public void preempt(int channel) {}

    @Override
    public void ring(int channel, int put) {}

    @Override
    public void flush(long directoryIova) {}

    @Override
    public int channelState(int channel) {
        return 0;
    }

    @Override
    public int engineStatus(int engine) {
        return 0;
    }

    @Override
    public void freeze(int engineBits) {}

    @Override
    public void resetEngines(int pmcEnableBitsCleared) {}

    @Override
    public void injectFault(int engine, int unit) {}

    @Override
    public void releaseMethod(int pbdma, int method, int data, int bits) {}

    @Override
    public void releaseTrap(int engine, int bits) {}

    @Override
    public void mapDma(DmaMapping atGuestPhysical) {}

    @Override
    public void unmapDma(long guestPhysical, long bytes) {}

    @Override
    public void reset() {
        open.forEach(Window::clear);
    }

    /// One window.
    final class Window implements SharedWindow {
        private final MemorySegment memory;
        private final int[] wanted;
        private final int[] shown;
        private boolean closed;

        private Window(long bytes) {
            memory = Arena.ofAuto().allocate(bytes);
            wanted = new int[(int) (bytes >>> PAGE_SHIFT)];
            shown = new int[wanted.length];
            Arrays.fill(wanted, NOTHING);
            Arrays.fill(shown, NOTHING);
        }

        /// The guest's page of VRAM that a page shows, or [#NOTHING].
        int shown(int page) {
            return shown[page];
        }

        boolean isClosed() {
            return closed;
        }

        @Override
        public long bytes() {
            return memory.byteSize();
        }

        @Override
        public Exported exported() {
            return new Exported(0, 0, bytes());
        }

        @Override
        public MemorySegment memory() {
            return memory;
        }

        @Override
        public void set(int page, long entry) {
            boolean vram =
                    PageTableEntry.isPresent(entry)
                            && PageTableEntry.target(entry) == MemoryTarget.VRAM;
            long address = PageTableEntry.physicalAddress(entry);
            wanted[page] = vram ? (int) (share.toGuest(address) >>> PAGE_SHIFT) : NOTHING;
        }

        @Override
        public int flush() {
            for (int page = 0; page < wanted.length; page++) {
                if (wanted[page] != shown[page] && wanted[page] != NOTHING) {
                    int vram = wanted[page];
                    open.forEach(window -> window.lose(vram));
                    wanted[page] = vram;
                }
                shown[page] = wanted[page];
            }
            return 0;
        }

        @Override
        public void clear() {
            Arrays.fill(wanted, NOTHING);
            Arrays.fill(shown, NOTHING);
            memory.fill((byte) 0);
        }

        @Override
        public void close() {
            clear();
            closed = true;
        }

        private void lose(int vram) {
            for (int page = 0; page < shown.length; page++) {
                if (shown[page] == vram) {
                    shown[page] = NOTHING;
                    wanted[page] = wanted[page] == vram ? NOTHING : wanted[page];
                }
            }
        }
    }
}
