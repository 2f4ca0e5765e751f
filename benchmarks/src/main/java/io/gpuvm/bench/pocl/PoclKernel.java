package io.gpuvm.bench.pocl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Compiled kernel, executed on a two-dimensional grid of square blocks.
///
/// Confined to one thread.
final class PoclKernel implements AutoCloseable {
    static final int DIMENSIONS = 2;

    /// Number of threads of a block in each direction, `TILE` in the kernels.
    static final int SIDE = 16;

    private final Arena arena = Arena.ofConfined();
    private final OpenCl cl;
    private final MemorySegment handle;
    private final MemorySegment threads;
    private final MemorySegment threadsOfBlock;

    /// Memory that passes an argument's value to OpenCL.
    private final MemorySegment argument = arena.allocate(ValueLayout.JAVA_LONG);

    private int next;

    /// @param columns number of block columns
    /// @param rows number of block rows
    PoclKernel(OpenCl cl, MemorySegment handle, int columns, int rows) {
        this.cl = cl;
        this.handle = handle;
        threads = pair(columns * SIDE, rows * SIDE);
        threadsOfBlock = pair(SIDE, SIDE);
    }

    private MemorySegment pair(long x, long y) {
        return arena.allocateFrom(ValueLayout.JAVA_LONG, x, y);
    }

    MemorySegment handle() {
        return handle;
    }

    /// Returns the number of threads of the whole grid, in each direction.
    MemorySegment threads() {
        return threads;
    }

    /// Returns the number of threads of a block, in each direction.
    MemorySegment threadsOfBlock() {
        return threadsOfBlock;
    }

    /// Restarts the list of arguments: the next call sets the first argument.
    PoclKernel arguments() {
        next = 0;
        return this;
    }

    /// Sets the next argument to the address of device memory.
    PoclKernel pointer(MemorySegment buffer) {
        argument.set(ValueLayout.ADDRESS, 0, buffer);
        return setNext(ValueLayout.ADDRESS);
    }

    /// Sets the next argument to an integer.
    PoclKernel i32(int value) {
        argument.set(ValueLayout.JAVA_INT, 0, value);
        return setNext(ValueLayout.JAVA_INT);
    }

    /// Sets the next argument to a float.
    PoclKernel f32(float value) {
        argument.set(ValueLayout.JAVA_FLOAT, 0, value);
        return setNext(ValueLayout.JAVA_FLOAT);
    }

    private PoclKernel setNext(ValueLayout layout) {
        cl.call(ClFunction.SET_KERNEL_ARG, handle, next, layout.byteSize(), argument);
        next++;
        return this;
    }

    @Override
    public void close() {
        cl.call(ClFunction.RELEASE_KERNEL, handle);
        arena.close();
    }
}
