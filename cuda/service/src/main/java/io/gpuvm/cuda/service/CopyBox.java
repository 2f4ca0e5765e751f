package io.gpuvm.cuda.service;

/// Copy of a box of bytes: slices of lines.
///
/// @param width bytes of a line
/// @param height number of lines of a slice
/// @param depth number of slices
public record CopyBox(Side target, Side source, long width, long height, long depth) {
    /// One side of a copy.
    ///
    /// @param isInArea whether the memory is the session's data area; otherwise it is the GPU's
    /// @param start offset in the data area, or GPU address, of the first byte
    /// @param pitch distance in bytes between the starts of adjacent lines
    /// @param sliceLines number of lines between the starts of adjacent slices
    public record Side(boolean isInArea, long start, long pitch, long sliceLines) {}
}
