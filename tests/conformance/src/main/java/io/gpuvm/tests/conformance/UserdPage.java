package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.fifo.Userd;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// USERD of a channel as drivers read it, through BAR1.
final class UserdPage {
    /// Length of the defined part of the page, in bytes.
    static final int USED_BYTES = Userd.IB_PUT + Integer.BYTES;

    private final GpuDevice gpu;
    private final long offset;
    private final MemorySegment copy = MemorySegment.ofArray(new int[USED_BYTES / Integer.BYTES]);
    private final Userd userd = new Userd().wrap(copy, 0);

    /// @param offset offset of the area in BAR1
    UserdPage(GpuDevice gpu, long offset) {
        this.gpu = gpu;
        this.offset = offset;
    }

    int ibGet() {
        return read().ibGet();
    }

    long get() {
        return read().get();
    }

    long mget() {
        return read().mget();
    }

    /// Reads IB_GET, and IB_PUT in the upper half, in one access.
    long ibGetAndPut() {
        long get = offset + Userd.IB_PUT - Integer.BYTES;
        return gpu.read(Bar.BAR1, get, Long.BYTES);
    }

    int refCount() {
        return read().refCount();
    }

    private Userd read() {
        for (int at = 0; at < USED_BYTES; at += Integer.BYTES) {
            int word = (int) gpu.read(Bar.BAR1, offset + at, Integer.BYTES);
            copy.set(ValueLayout.JAVA_INT, at, word);
        }
        return userd;
    }
}
