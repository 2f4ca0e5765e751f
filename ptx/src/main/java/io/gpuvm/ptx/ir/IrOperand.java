package io.gpuvm.ptx.ir;

/// Source of an instruction.
public sealed interface IrOperand
        permits Value, IrOperand.Literal, IrOperand.Constant, IrOperand.Address {
    /// Number in the instruction. For a double, the upper word; the lower word is zero.
    record Literal(int bits) implements IrOperand {
        public static final Literal ZERO = new Literal(0);
    }

    /// Word, or the first of two words, of a constant bank.
    ///
    /// @param offset offset in bytes, a multiple of 4
    record Constant(int bank, int offset) implements IrOperand {}

    /// Half of a symbol's address, which the loader writes into the instruction.
    ///
    /// @param symbol name of a variable or function
    /// @param addend number of bytes from the start of the symbol
    /// @param upper whether the operand is the upper word of the address
    record Address(String symbol, long addend, boolean upper) implements IrOperand {}
}
