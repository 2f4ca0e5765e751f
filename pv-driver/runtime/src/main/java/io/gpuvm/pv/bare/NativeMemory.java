package io.gpuvm.pv.bare;

import io.gpuvm.gf100.driver.Extent;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuMemory;
import java.util.List;

/// Allocated VRAM.
final class NativeMemory implements GpuMemory {
    private final NativeTransport transport;
    private final long gpuVa;
    private final long bytes;
    private final List<Extent> extents;
    private final GpuAddresses addresses;

    /// True until [#end]. Guarded by the lock of the transport.
    private boolean open = true;

    /// @param addresses allocator of the address
    NativeMemory(
            NativeTransport transport,
            long gpuVa,
            long bytes,
            List<Extent> extents,
            GpuAddresses addresses) {
        this.transport = transport;
        this.gpuVa = gpuVa;
        this.bytes = bytes;
        this.extents = extents;
        this.addresses = addresses;
    }

    @Override
    public long gpuVa() {
        return gpuVa;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void close() {
        transport.close(this);
    }

    GpuAddresses addresses() {
        return addresses;
    }

    List<Extent> extents() {
        return extents;
    }

    /// Marks the memory as closed.
    ///
    /// @return whether the memory was open
    boolean end() {
        boolean was = open;
        open = false;
        return was;
    }

    @Override
    public String toString() {
        return "VRAM at gpuVa=%#x, bytes=%d".formatted(gpuVa, bytes());
    }
}
