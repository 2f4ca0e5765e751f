package io.gpuvm.pv.runtime;

/// Memory that a context has allocated, with its context and state. Any thread.
final class Allocation {
    private final GpuContext context;
    private final long gpuVa;
    private final long bytes;
    private final Runnable release;
    private volatile boolean closed;

    /// @param release frees the memory, once the GPU no longer uses it
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

    /// @throws GpuException if the memory is closed
    long gpuVa() {
        checkOpen();
        return gpuVa;
    }

    long bytes() {
        return bytes;
    }

    /// @throws GpuException if the memory is closed, or belongs to another context
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

    /// Returns the address of a part of the memory.
    ///
    /// @param what name of the part, for messages
    /// @throws GpuException if the memory is closed, belongs to another context, or does not
    ///   contain the part
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

    /// Returns the address at the given offset in the memory, for a pointer argument. The offset
    /// may equal the length of the memory. Formats text only on failure, because launches have many
    /// arguments.
    ///
    /// @param argument index of the argument, for messages
    /// @throws GpuException as [#range]
    long pointer(GpuContext user, int argument, long offset) {
        checkUsableIn(user);
        if (offset < 0 || offset > bytes) {
            throw invalid("argument " + argument + " offset", offset, bytes);
        }
        return gpuVa + offset;
    }

    /// Returns the address of the first line of a rectangle in the memory.
    ///
    /// @throws GpuException if the memory is closed, belongs to another context, or does not
    ///   contain the lines
    long lines(GpuContext user, String what, Pitched place, long width, long height) {
        return range(user, what, place.offset(), extent(what, place.pitch(), width, height));
    }

    /// Returns the address of the first line of a box in the memory.
    ///
    /// @throws GpuException if the memory is closed, belongs to another context, or does not
    ///   contain the slices
    long box(GpuContext user, String what, Slices place, long width, long height, long depth) {
        long slice = extent(what, place.pitch(), width, height);
        long bytesOfAll =
                depth == 1 ? slice : extent(what + " slice", place.slicePitch(), slice, depth);
        return range(user, what, place.offset(), bytesOfAll);
    }

    /// Returns the length of lines from the start of the first to the end of the last.
    private long extent(String what, long pitch, long width, long height) {
        if (width < 0 || width > bytes) {
            throw invalid(what + " width", width, bytes);
        }
        if (pitch < width) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "%s pitch=%d, expected at least width=%d".formatted(what, pitch, width));
        }
        if (height < 0 || height > 1 && pitch > 0 && height - 1 > bytes / pitch) {
            throw invalid(what + " height", height, bytes / Math.max(1, pitch) + 1);
        }
        return height == 0 ? 0 : (height - 1) * pitch + width;
    }

    /// Frees the memory as soon as the GPU no longer uses it.
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        context.freeLater(release);
    }

    /// Makes the memory unusable; the enclosing allocation frees the memory.
    void closeAsPart() {
        closed = true;
    }

    @Override
    public String toString() {
        return "address=%#x, bytes=%d".formatted(gpuVa, bytes);
    }

    private static GpuException invalid(String what, long value, long limit) {
        return new GpuException(
                GpuError.INVALID_VALUE, "%s=%d, expected 0 to %d".formatted(what, value, limit));
    }
}
