package io.gpuvm.softgpu.engine;

import io.gpuvm.softgpu.mmu.VirtualMemory;

/// Fills a rectangle of a surface's pixels, in contiguous runs. The fill can stop between any two
/// runs. Confined to the engine thread.
final class RectangleFill {
    /// Minimum time-slice cost of a run, in bytes: a run requires one translation.
    private static final int RUN_COST_BYTES = 64;

    private final VirtualMemory memory;
    private final TimeSlice slice;
    private final Surface target = new Surface();
    private final PixelPattern pattern = new PixelPattern();

    private long lineBytes;
    private long lines;
    private long line;
    private long column;
    private long filledBytes;

    RectangleFill(VirtualMemory memory, TimeSlice slice) {
        this.memory = memory;
        this.slice = slice;
    }

    /// Returns the surface, which must be set up before [#start]; each pixel must lie within one
    /// page.
    Surface target() {
        return target;
    }

    /// Returns the fill pattern, which must be set up before [#start].
    PixelPattern pattern() {
        return pattern;
    }

    /// Prepares a rectangle that begins at the surface's start position.
    void start(long width, long height) {
        lineBytes = width * pattern.pixelBytes();
        lines = lineBytes == 0 ? 0 : height;
        line = 0;
        column = 0;
    }

    /// Fills until the fill is complete or the slice ends.
    MethodProgress run() {
        while (line < lines) {
            while (column < lineBytes) {
                if (slice.isOver()) {
                    return MethodProgress.UNFINISHED;
                }
                int bytes = fillRun();
                column += bytes;
                filledBytes += bytes;
                slice.spend(Math.max(bytes, RUN_COST_BYTES));
            }
            column = 0;
            line++;
        }
        return MethodProgress.DONE;
    }

    /// Abandons the fill.
    void abandon() {
        lines = 0;
    }

    /// Returns the number of bytes filled since the last call.
    long takeFilledBytes() {
        long bytes = filledBytes;
        filledBytes = 0;
        return bytes;
    }

    private int fillRun() {
        long gpuVa = target.gpuVa(column, line);
        long bytes = Math.min(lineBytes - column, target.runBytes(column));
        bytes = Math.min(bytes, VirtualMemory.bytesToPageEnd(gpuVa));
        if (!pattern.writesAll()) {
            return mergePixel(gpuVa);
        }
        int pairs = (int) bytes & -PixelPattern.BYTES;
        if (pairs == 0) {
            return writePart(gpuVa, (int) bytes);
        }
        memory.fillRun(gpuVa, pairs, pattern.value(column), pattern.value(column + Long.BYTES));
        return pairs;
    }

    /// Writes up to eight bytes, and returns their number.
    private int writePart(long gpuVa, int bytes) {
        int width = Math.min(Integer.highestOneBit(bytes), Long.BYTES);
        memory.write(gpuVa, width, pattern.value(column));
        return width;
    }

    private int mergePixel(long gpuVa) {
        int width = Math.min(pattern.pixelBytes(), Long.BYTES);
        long mask = pattern.mask(column);
        long kept = memory.read(gpuVa, width) & ~mask;
        memory.write(gpuVa, width, kept | pattern.value(column) & mask);
        return width;
    }
}
