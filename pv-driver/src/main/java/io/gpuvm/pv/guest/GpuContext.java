package io.gpuvm.pv.guest;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.transport.GpuLimits;
import io.gpuvm.pv.transport.GpuTransport;

/// A program's use of a GPU: its memory, modules and streams. Any thread.
///
/// After [GpuError#LAUNCH_FAILED], [GpuError#LAUNCH_TIMEOUT] or [GpuError#LOST] every call throws
/// the same again; only [#close()] is of use then.
public final class GpuContext implements AutoCloseable {
    private GpuContext() {}

    /// @param transport becomes the context's, which closes it
    public static GpuContext open(GpuTransport transport) {
        throw new UnsupportedOperationException();
    }

    public GpuLimits limits() {
        throw new UnsupportedOperationException();
    }

    /// @throws GpuException [GpuError#OUT_OF_MEMORY], [GpuError#INVALID_VALUE]
    public DeviceMemory allocate(long bytes) {
        throw new UnsupportedOperationException();
    }

    /// @throws GpuException [GpuError#OUT_OF_MEMORY], [GpuError#INVALID_VALUE]
    public PinnedMemory allocatePinned(long bytes) {
        throw new UnsupportedOperationException();
    }

    /// Loads the contents of a cubin.
    ///
    /// @throws GpuException [GpuError#INVALID_IMAGE], [GpuError#OUT_OF_MEMORY]
    public GpuModule load(byte[] cubin) {
        throw new UnsupportedOperationException();
    }

    /// @throws GpuException [GpuError#INVALID_IMAGE], [GpuError#OUT_OF_MEMORY]
    public GpuModule load(Cubin cubin) {
        throw new UnsupportedOperationException();
    }

    /// The stream for those who need no other.
    public GpuStream defaultStream() {
        throw new UnsupportedOperationException();
    }

    public GpuStream newStream() {
        throw new UnsupportedOperationException();
    }

    public GpuEvent newEvent() {
        throw new UnsupportedOperationException();
    }

    /// Waits until everything submitted so far is done, on all streams.
    public void synchronize() {
        throw new UnsupportedOperationException();
    }

    /// Waits for the work under way, then frees everything. A second call does nothing.
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
