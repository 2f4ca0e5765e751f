package io.gpuvm.gf100.asm;

/// Operand as written, before the form of its instruction is known.
sealed interface Argument {
    /// Returns the operand's first token.
    Token token();

    /// Signs before and around an operand.
    ///
    /// @param suffix text after the operand, starting with a dot, or empty
    record Signs(boolean negate, boolean absolute, boolean invert, String suffix) {
        static final Signs NONE = new Signs(false, false, false, "");

        Signs withSuffix(String text) {
            return new Signs(negate, absolute, invert, text);
        }
    }

    record Register(Token token, int number, Signs signs) implements Argument {}

    record Predicate(Token token, int number, boolean not) implements Argument {}

    /// @param bank null if the offset is a name, which implies the bank
    /// @param register number of the register; [ReservedNames#ZERO_REGISTER] if there is none
    record Constant(Token token, Expression bank, int register, Expression offset, Signs signs)
            implements Argument {}

    /// @param register number of the register; [ReservedNames#ZERO_REGISTER] if there is none
    record Memory(Token token, int register, Expression offset) implements Argument {}

    /// @param negated number in parentheses after a minus sign, or null; the sign may belong to the
    ///   operand
    record Number(Token token, Expression number, Expression negated, Signs signs)
            implements Argument {}

    /// Condition code, for instance `CC.NE`.
    record Condition(Token token, String name) implements Argument {}

    /// Dimension of a texture, for instance `1D`.
    record Dimension(Token token) implements Argument {}

    /// Special register, for instance `SR_TID.X`.
    record Special(Token token, String name) implements Argument {}
}
