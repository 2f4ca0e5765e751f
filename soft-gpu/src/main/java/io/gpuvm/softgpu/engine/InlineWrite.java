package io.gpuvm.softgpu.engine;

import io.gpuvm.softgpu.mmu.VirtualMemory;

/// Writes a rectangle of bytes that arrive as words in the push buffer; each line starts with a new
/// word. Confined to the engine thread.
final class InlineWrite {
    private final VirtualMemory memory;
    private final Surface target = new Surface();

    private long lineBytes;
    private long lines;
    private long line;
    private long column;

    InlineWrite(VirtualMemory memory) {
        this.memory = memory;
    }

    /// Returns the target surface, which must be set up before [#start].
    Surface target() {
        return target;
    }

    /// Starts a rectangle; an incomplete earlier rectangle is discarded.
    void start(long bytesPerLine, long lineCount) {
        lineBytes = bytesPerLine;
        lines = bytesPerLine == 0 ? 0 : lineCount;
        line = 0;
        column = 0;
    }

    /// Returns whether the rectangle is incomplete.
    boolean isOpen() {
        return line < lines;
    }

    /// Writes the next word of an open rectangle ([#isOpen()]).
    ///
    /// @return number of bytes of the word that belong to the rectangle
    int write(int word) {
        int bytes = (int) Math.min(Integer.BYTES, lineBytes - column);
        long gpuVa = target.gpuVa(column, line);
        boolean whole =
                bytes == Integer.BYTES
                        && target.runBytes(column) >= bytes
                        && VirtualMemory.bytesToPageEnd(gpuVa) >= bytes;
        if (whole) {
            memory.write(gpuVa, Integer.BYTES, word);
        } else {
            for (int i = 0; i < bytes; i++) {
                memory.write(target.gpuVa(column + i, line), Byte.BYTES, word >>> i * Byte.SIZE);
            }
        }
        advance(bytes);
        return bytes;
    }

    /// Discards the incomplete rectangle.
    void abandon() {
        lines = 0;
    }

    private void advance(int bytes) {
        column += bytes;
        if (column == lineBytes) {
            column = 0;
            line++;
        }
    }
}
