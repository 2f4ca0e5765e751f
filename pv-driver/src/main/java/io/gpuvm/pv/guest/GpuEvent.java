package io.gpuvm.pv.guest;

/// A point in a stream. Any thread.
public final class GpuEvent implements AutoCloseable {
    GpuEvent() {}

    /// Whether all work before it is done; true if it was never recorded.
    public boolean isDone() {
        throw new UnsupportedOperationException();
    }

    /// Waits until all work before it is done.
    public void synchronize() {
        throw new UnsupportedOperationException();
    }

    /// Nanoseconds of the GPU's clock from an earlier event to this one; both are done.
    public long elapsedNsSince(GpuEvent start) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
