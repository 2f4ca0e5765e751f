package io.gpuvm.gf100.isa;

import java.util.List;

/// Operand in an instruction's text, and its fields.
public sealed interface Operand {
    /// Signs around an operand: `-x`, `|x|`, `-|x|`, `~x`. A field is null if the form does not
    /// support the sign.
    record Signs(Field negate, Field absolute, Field invert) {
        public static final Signs NONE = new Signs(null, null, null);
    }

    /// Notation of a number.
    enum Style {
        /// Hexadecimal; a negative number has a minus sign.
        INTEGER,
        /// Decimal float; NaNs are written as hexadecimal bits.
        FLOAT,
        /// Decimal double, defined by its upper word; NaNs are written as the upper word in
        /// hexadecimal.
        DOUBLE
    }

    /// `R5`, or `RZ` for 63.
    ///
    /// @param suffixes modifiers after the register, each with a dot: `R4.CC`, `R7.B1`
    record Register(Field number, Signs signs, List<Modifier> suffixes) implements Operand {}

    /// `P3`, `!P3`, or `PT` for 7.
    ///
    /// @param not flag that inverts the predicate; null if the form does not support inversion
    record Predicate(Field number, Field not) implements Operand {}

    /// `c[0x1][0x100]`.
    record Constant(Field bank, Field offset, Signs signs, List<Modifier> suffixes)
            implements Operand {}

    /// Immediate number. Accepts the same [Signs] as a register. The negate flag is written before
    /// parentheses or bars, as `-(0x5)` or `-|0x5|`; in `-0x5`, the minus sign belongs to the
    /// number.
    record Immediate(Style style, Signs signs, List<Modifier> suffixes) implements Operand {}

    /// `[R2+0x10]`, `[R2]`, or `[0x10]` if the register is RZ.
    record Memory(Field register, Field offset) implements Operand {}

    /// `c[0x2][R3+0x10]`: [Field#B_BANK], [Field#SRC_A] (omitted if RZ, or if the form has none)
    /// and [Field#OFFSET].
    record IndexedConstant() implements Operand {}

    /// Branch target. The text contains the address from the start of the code: `0x58`. The word
    /// contains the same address, or, if [Form#relative], the distance from the end of the
    /// instruction.
    record Target() implements Operand {}

    /// A [SpecialRegister] by name, or `SR17` with the decimal code.
    record Special() implements Operand {}

    /// `CC.NE`: [Field#CONDITION], or [Field#TEST].
    ///
    /// @param optional whether the text omits `CC.T`
    record Condition(Field test, boolean optional) implements Operand {}

    /// `1D`: number of coordinates of a texel.
    record Dimension() implements Operand {}

    /// Any other number, in hexadecimal; a negative number has a minus sign. [Field#TARGET] is
    /// written unchanged.
    record Number(Field field) implements Operand {}
}
