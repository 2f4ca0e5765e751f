package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.BlockLinear;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// One side of a transfer: where line y, byte x of the rectangle lies. Set up again for each
/// transfer.
final class Surface {
    private final BlockLinear layout = new BlockLinear();
    private boolean linear;
    private long base;
    private long pitch;
    private long x;
    private long y;
    private long z;

    /// Lines at a fixed distance.
    ///
    /// @param pitchBytes may be negative
    Surface linear(long gpuVa, long pitchBytes) {
        linear = true;
        base = gpuVa;
        pitch = pitchBytes;
        at(0, 0, 0);
        return this;
    }

    /// A block-linear surface.
    Surface tiled(long gpuVa, int tileMode, long widthBytes, long height) {
        linear = false;
        base = gpuVa;
        layout.describe(tileMode, widthBytes, height);
        return this;
    }

    /// Where in the surface the rectangle starts: at its origin unless this says otherwise.
    ///
    /// @param startX in bytes
    /// @param layer 0 for linear surfaces
    void at(long startX, long startY, long layer) {
        x = startX;
        y = startY;
        z = layer;
    }

    boolean isLinear() {
        return linear;
    }

    /// Distance of the lines of a linear surface.
    long pitch() {
        return pitch;
    }

    /// Virtual address of a byte.
    long gpuVa(long column, long line) {
        return VirtualMemory.wrap(
                base
                        + (linear
                                ? (y + line) * pitch + x + column
                                : layout.offset(x + column, y + line, z)));
    }

    /// How many bytes of a line follow a byte without a gap, itself included.
    long runBytes(long column) {
        return linear
                ? Long.MAX_VALUE
                : BlockLinear.RUN_BYTES - (x + column & BlockLinear.RUN_BYTES - 1);
    }
}
