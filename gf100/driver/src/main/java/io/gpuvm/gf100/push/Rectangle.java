package io.gpuvm.gf100.push;

/// A copy between two places of linear memory, line by line.
///
/// @param target address of the first line
/// @param targetPitch bytes from one line's start to the next one's
/// @param source address of the first line
/// @param sourcePitch as `targetPitch`
/// @param lineBytes bytes of a line
/// @param lines how many
public record Rectangle(
        long target, long targetPitch, long source, long sourcePitch, long lineBytes, long lines) {

    /// A single line.
    public static Rectangle line(long target, long source, long bytes) {
        return new Rectangle(target, bytes, source, bytes, bytes, 1);
    }

    /// A part of it, in lines that are as far apart.
    ///
    /// @param column bytes of each line to leave out
    /// @param row lines to leave out
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
