package io.gpuvm.gf100.isa;

import java.util.List;

/// One operand in an instruction's text, and the fields that it says.
public sealed interface Operand {
    /// What can be put around an operand: `-x`, `|x|`, `-|x|`, `~x`. Each may be null: the form
    /// cannot say it.
    record Signs(Field negate, Field absolute, Field invert) {
        public static final Signs NONE = new Signs(null, null, null);
    }

    /// How a number is written.
    enum Style {
        /// Hexadecimal, with a minus sign if it is negative.
        INTEGER,
        /// A decimal float; NaNs as the hexadecimal bits.
        FLOAT,
        /// A decimal double whose upper word this is; NaNs as the upper word in hexadecimal.
        DOUBLE
    }

    /// `R5`, or `RZ` for 63.
    ///
    /// @param suffixes after it, with a dot: `R4.CC`, `R7.B1`
    record Register(Field number, Signs signs, List<Modifier> suffixes) implements Operand {}

    /// `P3`, `!P3`, or `PT` for 7.
    ///
    /// @param not null if it cannot be inverted
    record Predicate(Field number, Field not) implements Operand {}

    /// `c[0x1][0x100]`.
    record Constant(Field bank, Field offset, Signs signs, List<Modifier> suffixes)
            implements Operand {}

    /// A number. Signs are as for registers; a minus sign that is not the number's stands before
    /// parentheses or bars: `-(0x5)` is not `-0x5`.
    record Immediate(Style style, Signs signs, List<Modifier> suffixes) implements Operand {}

    /// `[R2+0x10]`, `[R2]`, or `[0x10]` if the register is RZ.
    record Memory(Field register, Field offset) implements Operand {}

    /// `c[0x2][R3+0x10]`: [Field#B_BANK], [Field#SRC_A] (left out if RZ, or if the form has none)
    /// and [Field#OFFSET].
    record IndexedConstant() implements Operand {}

    /// Where a branch goes. Written as the address from the start of the code: `0x58`. In the word
    /// it is relative to the end of the instruction if [Form#relative].
    record Target() implements Operand {}

    /// A [SpecialRegister] by name, or `SR17` with the decimal code.
    record Special() implements Operand {}

    /// `CC.NE`: [Field#CONDITION], or [Field#TEST].
    ///
    /// @param optional left out when it is `CC.T`
    record Condition(Field test, boolean optional) implements Operand {}

    /// `1D`: how many coordinates a texel has.
    record Dimension() implements Operand {}

    /// A number of no other kind, hexadecimal, with a minus sign if it is negative. [Field#TARGET]
    /// as it is.
    record Number(Field field) implements Operand {}
}
