package io.gpuvm.gf100.asm;

/// Error in a source.
///
/// @param file name of the source
/// @param line number of the line, from 1
/// @param column column of the offending token, from 1
public record AssemblyError(String file, int line, int column, String message) {
    /// Returns `file:line:column: message`, the format that editors recognize.
    @Override
    public String toString() {
        return file + ":" + line + ":" + column + ": " + message;
    }
}
