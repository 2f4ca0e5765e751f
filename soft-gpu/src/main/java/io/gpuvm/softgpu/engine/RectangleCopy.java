package io.gpuvm.softgpu.engine;

import io.gpuvm.softgpu.mmu.VirtualMemory;

/// Copies a rectangle of bytes from one surface to another, in runs that are contiguous on both
/// sides. The copy can stop between any two runs.
///
/// If two linear rectangles of the same nonnegative pitch overlap and an upward copy would read
/// bytes that it has already written, the copy proceeds downwards; the result is as if the whole
/// source had been read first. For other overlaps, the result is that of an upward copy. Confined
/// to the engine thread.
final class RectangleCopy {
    /// Minimum time-slice cost of a run, in bytes: a run requires two translations.
    private static final int RUN_COST_BYTES = 64;

    /// Maximum size of a run, which limits the waiting time of other work. From 2.5 MiB on, the
    /// Java virtual machine's stores bypass the caches, which makes the copy 1.5 times as fast.
    private static final int MAX_RUN_BYTES = 3 << 20;

    /// Maximum total size of lines that are joined because they are adjacent on both sides: the
    /// size of the address space.
    private static final long MAX_JOINED_BYTES = 1L << 40;

    private final VirtualMemory memory;
    private final TimeSlice slice;
    private final Surface source = new Surface();
    private final Surface target = new Surface();

    private long lineBytes;
    private long lines;
    private long line;
    private long column;
    private boolean downwards;
    private long copiedBytes;

    RectangleCopy(VirtualMemory memory, TimeSlice slice) {
        this.memory = memory;
        this.slice = slice;
    }

    /// Returns the source surface, which must be set up before [#start].
    Surface source() {
        return source;
    }

    /// Returns the target surface, which must be set up before [#start].
    Surface target() {
        return target;
    }

    /// Prepares a copy between the two surfaces.
    void start(long bytesPerLine, long lineCount) {
        lineBytes = bytesPerLine;
        lines = bytesPerLine == 0 ? 0 : lineCount;
        line = 0;
        column = 0;
        downwards = false;
        if (source.isLinear() && target.isLinear()) {
            joinLines();
            downwards = overlapsAhead();
        }
    }

    /// Copies until the copy is complete or the slice ends.
    MethodProgress run() {
        while (line < lines) {
            while (column < lineBytes) {
                if (slice.isOver()) {
                    return MethodProgress.UNFINISHED;
                }
                int bytes = downwards ? copyRunDownwards() : copyRunUpwards();
                column += bytes;
                copiedBytes += bytes;
                slice.spend(Math.max(bytes, RUN_COST_BYTES));
            }
            column = 0;
            line++;
        }
        return MethodProgress.DONE;
    }

    /// Abandons the copy.
    void abandon() {
        lines = 0;
    }

    /// Returns the number of bytes copied since the last call.
    long takeCopiedBytes() {
        long bytes = copiedBytes;
        copiedBytes = 0;
        return bytes;
    }

    private int copyRunUpwards() {
        long from = source.gpuVa(column, line);
        long to = target.gpuVa(column, line);
        long bytes = lineBytes - column;
        bytes = Math.min(bytes, Math.min(source.runBytes(column), target.runBytes(column)));
        return memory.copyRun(to, from, (int) Math.min(bytes, MAX_RUN_BYTES));
    }

    private int copyRunDownwards() {
        long last = lineBytes - column - 1;
        long fromLine = lines - 1 - line;
        long from = source.gpuVa(last, fromLine);
        long to = target.gpuVa(last, fromLine);
        long bytes = Math.min(last + 1, VirtualMemory.bytesFromPageStart(from));
        bytes = Math.min(bytes, VirtualMemory.bytesFromPageStart(to));
        memory.copyRun(to - bytes + 1, from - bytes + 1, (int) bytes);
        return (int) bytes;
    }

    private void joinLines() {
        boolean adjacent = source.pitch() == lineBytes && target.pitch() == lineBytes;
        if (adjacent && lines > 1 && lineBytes <= MAX_JOINED_BYTES / lines) {
            lineBytes *= lines;
            lines = 1;
        }
    }

    private boolean overlapsAhead() {
        if (lines == 0 || (lines > 1 && source.pitch() != target.pitch()) || source.pitch() < 0) {
            return false;
        }
        long distance = target.gpuVa(0, 0) - source.gpuVa(0, 0);
        return distance > 0 && distance <= (lines - 1) * source.pitch() + lineBytes - 1;
    }
}
