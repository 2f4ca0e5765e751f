package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.BlockLinear;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// One side of a transfer: maps a line and a column of the rectangle to an address. Mutable; set up
/// for each transfer.
final class Surface {
    private final BlockLinear layout = new BlockLinear();
    private boolean linear;
    private long base;
    private long pitch;
    private long x;
    private long y;
    private long z;

    /// Sets a surface with lines at a fixed distance.
    ///
    /// @param pitchBytes distance between the lines, in bytes; may be negative
    Surface linear(long gpuVa, long pitchBytes) {
        linear = true;
        base = gpuVa;
        pitch = pitchBytes;
        at(0, 0, 0);
        return this;
    }

    /// Sets a block-linear surface.
    Surface tiled(long gpuVa, int tileMode, long widthBytes, long height) {
        linear = false;
        base = gpuVa;
        layout.describe(tileMode, widthBytes, height);
        return this;
    }

    /// Sets the start of the rectangle in the surface; required after [#tiled], while [#linear]
    /// sets the origin.
    ///
    /// @param startX position in bytes
    /// @param layer layer, 0 for linear surfaces
    void at(long startX, long startY, long layer) {
        x = startX;
        y = startY;
        z = layer;
    }

    boolean isLinear() {
        return linear;
    }

    /// Returns the distance between the lines of a linear surface, in bytes.
    long pitch() {
        return pitch;
    }

    /// Returns the virtual address of a byte.
    long gpuVa(long column, long line) {
        return VirtualMemory.wrap(
                base
                        + (linear
                                ? (y + line) * pitch + x + column
                                : layout.offset(x + column, y + line, z)));
    }

    /// Returns the number of contiguous bytes of a line, starting at a column.
    long runBytes(long column) {
        return linear
                ? Long.MAX_VALUE
                : BlockLinear.RUN_BYTES - (x + column & BlockLinear.RUN_BYTES - 1);
    }
}
