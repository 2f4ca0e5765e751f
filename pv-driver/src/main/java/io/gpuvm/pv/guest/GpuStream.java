package io.gpuvm.pv.guest;

import java.lang.foreign.MemorySegment;

/// Work that the GPU does in the order of the calls; work of different streams has no order.
///
/// Any thread; what several threads submit to one stream is done in some order of theirs.
public final class GpuStream implements AutoCloseable {
    GpuStream() {}

    /// Copies to the GPU. Returns once the source can be used again.
    ///
    /// @param source memory of any kind
    public void copyToDevice(DeviceMemory target, long targetOffset, MemorySegment source) {
        throw new UnsupportedOperationException();
    }

    /// Copies to the GPU; the source stays as it is until that is done.
    public void copyToDevice(
            DeviceMemory target,
            long targetOffset,
            PinnedMemory source,
            long sourceOffset,
            long bytes) {
        throw new UnsupportedOperationException();
    }

    /// Copies from the GPU. Returns once that is done.
    ///
    /// @param target memory of any kind
    public void copyToHost(MemorySegment target, DeviceMemory source, long sourceOffset) {
        throw new UnsupportedOperationException();
    }

    /// Copies from the GPU; the target is written until that is done.
    public void copyToHost(
            PinnedMemory target,
            long targetOffset,
            DeviceMemory source,
            long sourceOffset,
            long bytes) {
        throw new UnsupportedOperationException();
    }

    /// Copies inside of the GPU. If the ranges overlap, what is copied is undefined.
    public void copy(
            DeviceMemory target,
            long targetOffset,
            DeviceMemory source,
            long sourceOffset,
            long bytes) {
        throw new UnsupportedOperationException();
    }

    /// Fills memory with a byte.
    public void fill(DeviceMemory target, long offset, long bytes, int value) {
        throw new UnsupportedOperationException();
    }

    /// Runs a kernel.
    public void launch(GpuKernel kernel, LaunchShape shape, Arguments arguments) {
        throw new UnsupportedOperationException();
    }

    /// Marks this point.
    public void record(GpuEvent event) {
        throw new UnsupportedOperationException();
    }

    /// Has what follows wait for an event of any stream.
    public void await(GpuEvent event) {
        throw new UnsupportedOperationException();
    }

    /// Whether everything submitted so far is done.
    public boolean isDone() {
        throw new UnsupportedOperationException();
    }

    /// Waits until everything submitted so far is done.
    public void synchronize() {
        throw new UnsupportedOperationException();
    }

    /// Ends the stream once its work is done. A second call does nothing.
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
