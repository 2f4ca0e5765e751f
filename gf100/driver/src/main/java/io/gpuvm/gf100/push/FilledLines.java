package io.gpuvm.gf100.push;

/// Lines in linear memory that a fill writes.
///
/// @param target address of the first line
/// @param pitch bytes from the start of a line to the start of the next
/// @param lineBytes number of bytes of a line
/// @param lines number of lines
public record FilledLines(long target, long pitch, long lineBytes, long lines) {}
