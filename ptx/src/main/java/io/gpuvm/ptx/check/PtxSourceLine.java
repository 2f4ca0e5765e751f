package io.gpuvm.ptx.check;

/// Line of the source program that instructions implement.
///
/// @param file number of the file, a key of [PtxModule#files()]
/// @param line number of the line, from 1
/// @param column number of the column, from 1; 0 if unknown
public record PtxSourceLine(int file, int line, int column) {}
