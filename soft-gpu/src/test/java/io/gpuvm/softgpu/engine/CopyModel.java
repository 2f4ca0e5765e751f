package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.BlockLinear;

/// Reference model of transfers: copies one byte at a time within an array.
final class CopyModel {
    /// Position of a rectangle's bytes.
    interface Place {
        long at(int x, int y);
    }

    private CopyModel() {}

    static Place linear(long start, long pitch) {
        return (x, y) -> start + y * pitch + x;
    }

    static Place tiled(
            long start, int mode, int widthBytes, int height, int firstX, int firstY, int z) {
        BlockLinear layout = new BlockLinear().describe(mode, widthBytes, height);
        return (x, y) -> start + layout.offset(firstX + x, firstY + y, z);
    }

    /// Copies a rectangle. The whole source is read before any byte is written.
    static void copy(byte[] memory, Place from, Place to, int bytes, int lines) {
        byte[] before = memory.clone();
        for (int y = 0; y < lines; y++) {
            for (int x = 0; x < bytes; x++) {
                memory[(int) to.at(x, y)] = before[(int) from.at(x, y)];
            }
        }
    }
}
