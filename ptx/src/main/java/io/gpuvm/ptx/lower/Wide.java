package io.gpuvm.ptx.lower;

import io.gpuvm.ptx.ir.IrOperand;

/// Number of 64 bits, as two words.
record Wide(IrOperand low, IrOperand high) {
    static final Wide ZERO = of(0);

    static Wide of(long bits) {
        return new Wide(
                new IrOperand.Literal((int) bits),
                new IrOperand.Literal((int) (bits >>> Integer.SIZE)));
    }

    /// Returns whether both words are numbers.
    boolean isLiteral() {
        return low instanceof IrOperand.Literal && high instanceof IrOperand.Literal;
    }

    /// Returns the number; [#isLiteral()] must be true.
    long bits() {
        return (long) ((IrOperand.Literal) high).bits() << Integer.SIZE
                | Integer.toUnsignedLong(((IrOperand.Literal) low).bits());
    }
}
