package io.gpuvm.gf100.push;

/// Copy between two locations of linear memory, line by line.
///
/// @param target address of the first target line
/// @param targetPitch bytes from the start of a target line to the start of the next
/// @param source address of the first source line
/// @param sourcePitch bytes from the start of a source line to the start of the next
/// @param lineBytes number of bytes of a line
/// @param lines number of lines
public record Rectangle(
        long target, long targetPitch, long source, long sourcePitch, long lineBytes, long lines) {

    /// Returns a rectangle of a single line.
    public static Rectangle line(long target, long source, long bytes) {
        return new Rectangle(target, bytes, source, bytes, bytes, 1);
    }

    /// Returns a part of the rectangle, with the same pitches.
    ///
    /// @param column number of bytes to skip in each line
    /// @param row number of lines to skip
    public Rectangle part(long column, long row, long partBytes, long partLines) {
        return new Rectangle(
                target + row * targetPitch + column,
                targetPitch,
                source + row * sourcePitch + column,
                sourcePitch,
                partBytes,
                partLines);
    }
}
