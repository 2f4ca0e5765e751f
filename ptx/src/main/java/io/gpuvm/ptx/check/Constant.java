package io.gpuvm.ptx.check;

/// Value of a constant expression.
sealed interface Constant {
    /// Integer of 64 bits.
    record Whole(long value, boolean unsigned) implements Constant {}

    /// Floating-point number.
    ///
    /// @param bits bits as they are written: of a float if `single`, otherwise of a double
    record Real(double value, long bits, boolean single) implements Constant {
        static Real of(double value) {
            return new Real(value, Double.doubleToRawLongBits(value), false);
        }
    }

    /// Address of a symbol.
    ///
    /// @param generic whether the address is generic
    /// @param mask bits of the address that are wanted, or -1 for all
    /// @param elementBytes size of an element of the variable, or 1
    record Address(PtxSymbol symbol, long offset, boolean generic, long mask, int elementBytes)
            implements Constant {
        Address plus(long bytes) {
            return new Address(symbol, offset + bytes, generic, mask, elementBytes);
        }
    }
}
