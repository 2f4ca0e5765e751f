package io.gpuvm.ptx.syntax;

/// Position in a source.
///
/// @param line number of the line, from 1
/// @param column number of the column, from 1; a tab is one column
public record SourcePosition(int line, int column) {}
