package io.gpuvm.pv.guest;

/// Arguments of a launch, in the order of the kernel's parameters. A launch checks their number and
/// sizes, and keeps a copy: the same arguments can be used again.
///
/// Confined to one thread.
public final class Arguments {
    public Arguments pointer(DeviceMemory memory) {
        return pointer(memory, 0);
    }

    /// An address inside of memory.
    public Arguments pointer(DeviceMemory memory, long offset) {
        throw new UnsupportedOperationException();
    }

    public Arguments i32(int value) {
        throw new UnsupportedOperationException();
    }

    public Arguments i64(long value) {
        throw new UnsupportedOperationException();
    }

    public Arguments f32(float value) {
        throw new UnsupportedOperationException();
    }

    public Arguments f64(double value) {
        throw new UnsupportedOperationException();
    }

    /// A structure, or anything else, as it lies in memory.
    public Arguments bytes(byte[] value) {
        throw new UnsupportedOperationException();
    }
}
