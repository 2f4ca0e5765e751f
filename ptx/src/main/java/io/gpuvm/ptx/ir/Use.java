package io.gpuvm.ptx.ir;

/// Operand of an instruction in its role.
///
/// @param inverted whether a predicate is inverted; false for other operands
public record Use(Slot slot, IrOperand operand, boolean inverted) {
    public Use(Slot slot, IrOperand operand) {
        this(slot, operand, false);
    }

    /// Returns the value, or null if the operand is a number, constant or address.
    public Value value() {
        return operand instanceof Value value ? value : null;
    }

    public Use with(IrOperand other) {
        return new Use(slot, other, inverted);
    }
}
