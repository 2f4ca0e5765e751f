package io.gpuvm.ptx.syntax;

/// Constant expression, or name of a register, symbol or label.
public sealed interface ExpressionTree extends OperandTree {
    /// Integer literal.
    ///
    /// @param value value modulo 2^64
    /// @param unsigned whether the literal has the type u64: it has the suffix `U`, or it exceeds
    ///   the range of s64
    record IntegerLiteral(SourcePosition position, long value, boolean unsigned)
            implements ExpressionTree {}

    /// Floating-point literal, which the text gives in decimal or as bits.
    ///
    /// @param value value of a decimal literal or of a literal `0d...` or `0f...`
    /// @param bits bits of the literal: of a float if `single`, otherwise of a double
    /// @param single whether the literal has the form `0f...`
    record RealLiteral(SourcePosition position, double value, long bits, boolean single)
            implements ExpressionTree {}

    /// Name as it is written, with the suffix of a component or part (`%tid.x`, `%r1.b0`).
    record Name(SourcePosition position, String name) implements ExpressionTree {}

    /// Operation with one operand.
    ///
    /// @param operator one of `+`, `-`, `!`, `~`
    record Unary(SourcePosition position, String operator, ExpressionTree operand)
            implements ExpressionTree {}

    /// Operation with two operands.
    record Binary(
            SourcePosition position, String operator, ExpressionTree left, ExpressionTree right)
            implements ExpressionTree {}

    /// Choice `condition ? then : otherwise`.
    record Conditional(
            SourcePosition position,
            ExpressionTree condition,
            ExpressionTree then,
            ExpressionTree otherwise)
            implements ExpressionTree {}

    /// Conversion `(.s64) x` or `(.u64) x`.
    ///
    /// @param type name of the type, with its dot
    record Cast(SourcePosition position, String type, ExpressionTree operand)
            implements ExpressionTree {}

    /// Application `name(argument)`: `generic(symbol)`, or a mask such as `0xFF(symbol)`, whose
    /// name is then the text of the number.
    record Application(SourcePosition position, String name, ExpressionTree argument)
            implements ExpressionTree {}
}
