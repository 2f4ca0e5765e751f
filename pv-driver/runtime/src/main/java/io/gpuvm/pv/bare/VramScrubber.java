package io.gpuvm.pv.bare;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.driver.Extent;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.pv.transport.TransportException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.Lock;

/// Scrubber that zeroes each page of VRAM before its first allocation, because a card still
/// contains its previous user's data. Later allocations of a page belong to the same user.
///
/// Called without the transport's lock. Zeroing is slow, so the scrubber acquires the lock only to
/// move its window; doorbells need not wait for the zeroing. One thread at a time.
final class VramScrubber implements AutoCloseable {
    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final long WINDOW_BYTES = 1L << 20;

    private final Lock lock;
    private final long vramBytes;
    private final VramWindow window;
    private final BitSet clean = new BitSet();
    private boolean open = true;

    /// True once [#close()] has begun.
    private volatile boolean closed;

    VramScrubber(PhysicalGpu gpu, Lock lock) {
        this.lock = lock;
        vramBytes = gpu.vramBytes();
        window = gpu.openWindow(Math.min(WINDOW_BYTES, vramBytes));
    }

    /// @throws TransportException if the scrubber is closed during the call
    synchronized void scrub(List<Extent> extents) {
        for (Extent extent : extents) {
            int end = (int) ((extent.start() + extent.bytes()) / PAGE);
            int dirty = clean.nextClearBit((int) (extent.start() / PAGE));
            while (dirty < end) {
                int next = clean.nextSetBit(dirty);
                int to = next < 0 ? end : Math.min(next, end);
                zero(dirty * PAGE, to * PAGE);
                clean.set(dirty, to);
                dirty = clean.nextClearBit(to);
            }
        }
    }

    private void zero(long from, long to) {
        for (long at = from; at < to; ) {
            if (closed) {
                throw new TransportException("transport is closed");
            }
            long start = Math.min(at, vramBytes - window.bytes());
            lock.lock();
            try {
                window.point(start);
            } finally {
                lock.unlock();
            }
            long end = Math.min(to, start + window.bytes());
            window.memory().asSlice(at - start, end - at).fill((byte) 0);
            at = end;
        }
    }

    /// Releases the window. A second call has no effect.
    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            lock.lock();
            try {
                if (open) {
                    open = false;
                    window.close();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
