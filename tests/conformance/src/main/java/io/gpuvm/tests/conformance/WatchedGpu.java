package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.memory.VramPages;
import io.gpuvm.gf100.mmu.PageSize;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// GPU that tracks the resources that a test has allocated and not released.
final class WatchedGpu extends ForwardingGpu {
    private static final long PAGE_BYTES = PageSize.SMALL_4K.bytes();

    private final OpenGpu watched;
    private final Set<AutoCloseable> open = new LinkedHashSet<>();

    /// Page numbers of mapped bus addresses.
    private final TreeSet<Long> mapped = new TreeSet<>();

    private boolean connected;
    private boolean masked;

    WatchedGpu(OpenGpu watched) {
        super(watched.device());
        this.watched = watched;
    }

    /// Releases all remaining resources, and returns their descriptions.
    List<String> takeBack() throws Exception {
        List<String> left = new ArrayList<>();
        for (AutoCloseable one : List.copyOf(open)) {
            left.add(one.toString());
            one.close();
        }
        if (!mapped.isEmpty()) {
            left.add("%d mapped pages from %#x".formatted(mapped.size(), mapped.first()));
            unmapDma(0, mapped.last() * PAGE_BYTES + PAGE_BYTES);
        }
        if (connected) {
            left.add("interrupt connection");
            disconnectInterrupt();
        }
        if (masked) {
            left.add("interrupt mask");
            unmaskInterrupt();
        }
        return left;
    }

    /// Opens a window, as [PhysicalGpu#openWindow] specifies. Only in tests that are
    /// [WholeGpuOnly].
    VramWindow openWindow(long bytes) {
        WatchedWindow window = new WatchedWindow(physical().openWindow(bytes));
        open.add(window);
        return window;
    }

    /// Opens a shared window, as [PhysicalGpu#openSharedWindow] specifies. Only in tests that are
    /// [WholeGpuOnly].
    Optional<SharedWindow> openSharedWindow(long bytes) {
        return physical().openSharedWindow(bytes).map(this::watch);
    }

    private SharedWindow watch(SharedWindow window) {
        WatchedShared watched = new WatchedShared(window);
        open.add(watched);
        return watched;
    }

    /// Opens a slice, as [PhysicalGpu#openSlice] specifies.
    BarSlice openSlice(Bar bar, long bytes) {
        WatchedSlice slice = new WatchedSlice(watched.slices().open(bar, bytes));
        open.add(slice);
        return slice;
    }

    /// Exports a range, as [PhysicalGpu#export] specifies. Only in tests that are [WholeGpuOnly].
    Optional<Exported> export(Bar bar, long offset, long bytes) {
        return physical().export(bar, offset, bytes);
    }

    private PhysicalGpu physical() {
        return Objects.requireNonNull(
                watched.physical(), "a guest's GPU, expected a test with @WholeGpuOnly");
    }

    @Override
    public void mapDma(DmaMapping mapping) {
        gpu.mapDma(mapping);
        for (long into = 0; into < mapping.bytes(); into += PAGE_BYTES) {
            mapped.add((mapping.iova() + into) / PAGE_BYTES);
        }
    }

    @Override
    public void unmapDma(long iova, long bytes) {
        gpu.unmapDma(iova, bytes);
        if (bytes != 0) {
            long last = Long.divideUnsigned(iova + bytes - 1, PAGE_BYTES);
            mapped.subSet(Long.divideUnsigned(iova, PAGE_BYTES), true, last, true).clear();
        }
    }

    @Override
    public void connectInterrupt(InterruptKind kind, int eventDescriptor) {
        gpu.connectInterrupt(kind, eventDescriptor);
        connected = true;
    }

    @Override
    public void disconnectInterrupt() {
        gpu.disconnectInterrupt();
        connected = false;
    }

    @Override
    public void maskInterrupt() {
        gpu.maskInterrupt();
        masked = true;
    }

    @Override
    public void unmaskInterrupt() {
        gpu.unmaskInterrupt();
        masked = false;
    }

    @Override
    public void close() {
        throw new IllegalStateException("all tests share this GPU, expected DrivenGpu.letGo");
    }

    private final class WatchedWindow implements VramWindow {
        private final VramWindow window;

        WatchedWindow(VramWindow window) {
            this.window = window;
        }

        @Override
        public long bytes() {
            return window.bytes();
        }

        @Override
        public void point(long vramOffset) {
            window.point(vramOffset);
        }

        @Override
        public MemorySegment memory() {
            return window.memory();
        }

        @Override
        public VramPages pages() {
            return window.pages();
        }

        @Override
        public void close() {
            open.remove(this);
            window.close();
        }

        @Override
        public String toString() {
            return "window of %d bytes".formatted(bytes());
        }
    }

    private final class WatchedShared implements SharedWindow {
        private final SharedWindow window;

        WatchedShared(SharedWindow window) {
            this.window = window;
        }

        @Override
        public long bytes() {
            return window.bytes();
        }

        @Override
        public Exported exported() {
            return window.exported();
        }

        @Override
        public MemorySegment memory() {
            return window.memory();
        }

        @Override
        public void set(int page, long entry) {
            window.set(page, entry);
        }

        @Override
        public int flush() {
            return window.flush();
        }

        @Override
        public void clear() {
            window.clear();
        }

        @Override
        public void close() {
            open.remove(this);
            window.close();
        }

        @Override
        public String toString() {
            return "shared window of %d bytes".formatted(bytes());
        }
    }

    private final class WatchedSlice implements BarSlice {
        private final BarSlice slice;

        WatchedSlice(BarSlice slice) {
            this.slice = slice;
        }

        @Override
        public Bar bar() {
            return slice.bar();
        }

        @Override
        public long offset() {
            return slice.offset();
        }

        @Override
        public long bytes() {
            return slice.bytes();
        }

        @Override
        public void set(int page, long entry) {
            slice.set(page, entry);
        }

        @Override
        public void flush() {
            slice.flush();
        }

        @Override
        public void close() {
            open.remove(this);
            slice.close();
        }

        @Override
        public String toString() {
            return "slice of %s, %d bytes".formatted(bar(), bytes());
        }
    }
}
