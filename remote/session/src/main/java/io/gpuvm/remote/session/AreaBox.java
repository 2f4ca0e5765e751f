package io.gpuvm.remote.session;

import java.util.Objects;

/// Part of a data area that a call reads or writes: slices of rows of equal length. Mutable, so
/// that a call allocates none.
final class AreaBox {
    private long start;
    private long width;
    private long height;
    private long depth;
    private long pitch;
    private long slicePitch;

    /// Makes the box empty.
    void clear() {
        set(0, 0);
    }

    /// Makes the box one row.
    void set(long offset, long bytes) {
        set(offset, bytes, 1, 1, bytes, bytes);
    }

    /// Sets all sizes. Rows without gaps become one row.
    ///
    /// @param offset offset of the first byte
    /// @param rowBytes bytes of a row
    /// @param rows number of rows of a slice
    /// @param slices number of slices
    /// @param rowPitch distance in bytes between the starts of adjacent rows
    /// @param sliceBytes distance in bytes between the starts of adjacent slices
    void set(long offset, long rowBytes, long rows, long slices, long rowPitch, long sliceBytes) {
        start = offset;
        width = rowBytes;
        height = rows;
        depth = slices;
        pitch = rowPitch;
        slicePitch = sliceBytes;
        if (height > 1 && pitch == width && multiplied(width, height)) {
            width *= height;
            height = 1;
        }
        if (height == 1 && depth > 1 && slicePitch == width && multiplied(width, depth)) {
            width *= depth;
            depth = 1;
        }
        if (height == 1) {
            pitch = width;
        }
        if (depth == 1) {
            slicePitch = width;
        }
    }

    void set(AreaBox other) {
        start = other.start;
        width = other.width;
        height = other.height;
        depth = other.depth;
        pitch = other.pitch;
        slicePitch = other.slicePitch;
    }

    /// Shortens a box of one row.
    void limit(long bytes) {
        width = Math.max(0, Math.min(bytes, width));
    }

    boolean isEmpty() {
        return width == 0 || height == 0 || depth == 0;
    }

    /// Returns whether all rows lie in a data area. The backend refuses calls with other boxes.
    ///
    /// @param dataBytes length of the data area
    boolean isWithin(long dataBytes) {
        if (isEmpty()) {
            return true;
        }
        if (start < 0 || width < 0 || height < 0 || depth < 0 || pitch < 0 || slicePitch < 0) {
            return false;
        }
        if (start > dataBytes || width > dataBytes || height > dataBytes || depth > dataBytes) {
            return false;
        }
        long last = start + width;
        long rowsEnd = Math.multiplyHigh(height - 1, pitch) == 0 ? (height - 1) * pitch : -1;
        long slicesEnd =
                Math.multiplyHigh(depth - 1, slicePitch) == 0 ? (depth - 1) * slicePitch : -1;
        return rowsEnd >= 0
                && slicesEnd >= 0
                && rowsEnd <= dataBytes
                && slicesEnd <= dataBytes
                && last + rowsEnd + slicesEnd <= dataBytes;
    }

    /// Returns the bytes of a row.
    long width() {
        return width;
    }

    /// Returns the number of rows of a slice.
    long height() {
        return height;
    }

    /// Returns the distance between the starts of adjacent rows of a slice.
    long pitch() {
        return pitch;
    }

    /// Returns the number of rows of all slices.
    long rows() {
        return height * depth;
    }

    /// Returns the offset of a row.
    ///
    /// @param row number of the row, 0 to [#rows()] - 1
    long rowStart(long row) {
        return start + row / height * slicePitch + row % height * pitch;
    }

    private static boolean multiplied(long a, long b) {
        return a >= 0 && b >= 0 && Math.multiplyHigh(a, b) == 0 && a * b >= 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AreaBox box
                && start == box.start
                && width == box.width
                && height == box.height
                && depth == box.depth
                && pitch == box.pitch
                && slicePitch == box.slicePitch;
    }

    @Override
    public int hashCode() {
        return Objects.hash(start, width, height, depth, pitch, slicePitch);
    }

    @Override
    public String toString() {
        return "offset=%#x, bytes=%#x, rows=%d (pitch=%#x), slices=%d (pitch=%#x)"
                .formatted(start, width, height, pitch, depth, slicePitch);
    }
}
