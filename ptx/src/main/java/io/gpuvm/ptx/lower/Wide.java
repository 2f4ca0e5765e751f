package io.gpuvm.ptx.lower;

import io.gpuvm.ptx.ir.Operand;

/// Number of 64 bits, as two words.
record Wide(Operand low, Operand high) {
    static final Wide ZERO = of(0);

    static Wide of(long bits) {
        return new Wide(
                new Operand.Literal((int) bits),
                new Operand.Literal((int) (bits >>> Integer.SIZE)));
    }

    /// Returns whether both words are numbers.
    boolean isLiteral() {
        return low instanceof Operand.Literal && high instanceof Operand.Literal;
    }

    /// Returns the number; [#isLiteral()] must be true.
    long bits() {
        return (long) ((Operand.Literal) high).bits() << Integer.SIZE
                | Integer.toUnsignedLong(((Operand.Literal) low).bits());
    }
}
