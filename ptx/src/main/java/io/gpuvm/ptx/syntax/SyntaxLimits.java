package io.gpuvm.ptx.syntax;

/// Limits of a source. The memory for a parse tree is proportional to the length of the source.
///
/// @param characters maximum length of the source in characters
/// @param depth maximum depth of nested blocks, expressions and initial values
/// @param errors number of errors after which the compiler stops
public record SyntaxLimits(int characters, int depth, int errors) {
    /// Limits for sources that a user of this process has chosen.
    public static final SyntaxLimits DEFAULT = new SyntaxLimits(64 << 20, 64, 100);
}
