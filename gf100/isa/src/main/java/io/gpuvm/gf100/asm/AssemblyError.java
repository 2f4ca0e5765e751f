package io.gpuvm.gf100.asm;

/// One thing wrong with a source.
///
/// @param file what the source is called
/// @param line from 1
/// @param column from 1, of the token that is wrong
public record AssemblyError(String file, int line, int column, String message) {
    /// `file:line:column: message`, as editors take it.
    @Override
    public String toString() {
        return file + ":" + line + ":" + column + ": " + message;
    }
}
