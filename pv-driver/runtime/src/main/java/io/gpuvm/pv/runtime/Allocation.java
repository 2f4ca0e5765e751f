package io.gpuvm.pv.runtime;

/// A piece of memory that a context has handed out: whose it is, and whether it still is. Any
/// thread.
final class Allocation {
    private final GpuContext context;
    private final long gpuVa;
    private final long bytes;
    private final Runnable release;
    private volatile boolean closed;

    /// @param release gives it back, once the GPU is done with it
    Allocation(GpuContext context, long gpuVa, long bytes, Runnable release) {
        this.context = context;
        this.gpuVa = gpuVa;
        this.bytes = bytes;
        this.release = release;
    }

    static Allocation of(GpuBuffer buffer) {
        return switch (buffer) {
            case DeviceMemory memory -> memory.allocation();
            case PinnedMemory memory -> memory.allocation();
        };
    }

    /// @throws GpuException if it is closed
    long gpuVa() {
        checkOpen();
        return gpuVa;
    }

    long bytes() {
        return bytes;
    }

    /// @throws GpuException if it is closed, or not of this context
    void checkUsableIn(GpuContext user) {
        if (user != context) {
            throw new GpuException(
                    GpuError.INVALID_HANDLE, "memory belongs to another context: " + this);
        }
        checkOpen();
    }

    boolean isOpen() {
        return !closed;
    }

    void checkOpen() {
        if (closed) {
            throw new GpuException(GpuError.INVALID_HANDLE, "memory is freed: " + this);
        }
    }

    /// The address of a part of it.
    ///
    /// @param what for messages: what the part is
    /// @throws GpuException if it is closed, not of this context, or has no such part
    long range(GpuContext user, String what, long offset, long length) {
        checkUsableIn(user);
        if (length < 0 || length > bytes) {
            throw invalid(what + " bytes", length, bytes);
        }
        if (offset < 0 || offset > bytes - length) {
            throw invalid(what + " offset", offset, bytes - length);
        }
        return gpuVa + offset;
    }

    /// The address of a place in it, or of its end, that an argument points to. Makes no text
    /// unless something is wrong: launches have many of them.
    ///
    /// @param argument which one it is, for messages
    /// @throws GpuException as [#range]
    long pointer(GpuContext user, int argument, long offset) {
        checkUsableIn(user);
        if (offset < 0 || offset > bytes) {
            throw invalid("argument " + argument + " offset", offset, bytes);
        }
        return gpuVa + offset;
    }

    /// The address of the first of lines in it.
    ///
    /// @throws GpuException if it is closed, not of this context, or lines are not in it
    long lines(GpuContext user, String what, Pitched place, long width, long height) {
        if (width < 0 || width > bytes) {
            throw invalid(what + " width", width, bytes);
        }
        if (place.pitch() < width) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "%s pitch=%d, limit=at least the width, %d"
                            .formatted(what, place.pitch(), width));
        }
        if (height < 0 || height > 1 && place.pitch() > 0 && height - 1 > bytes / place.pitch()) {
            throw invalid(what + " height", height, bytes / Math.max(1, place.pitch()) + 1);
        }
        long extent = height == 0 ? 0 : (height - 1) * place.pitch() + width;
        return range(user, what, place.offset(), extent);
    }

    /// Frees it as soon as that does no harm.
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        context.freeLater(release);
    }

    /// Makes it unusable; whoever it is a part of frees it.
    void closeAsPart() {
        closed = true;
    }

    @Override
    public String toString() {
        return "address=%#x, bytes=%d".formatted(gpuVa, bytes);
    }

    private static GpuException invalid(String what, long value, long limit) {
        return new GpuException(
                GpuError.INVALID_VALUE, "%s=%d, limit=0..%d".formatted(what, value, limit));
    }
}
