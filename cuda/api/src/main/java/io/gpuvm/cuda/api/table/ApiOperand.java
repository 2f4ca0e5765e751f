package io.gpuvm.cuda.api.table;

import java.util.List;

/// Operand or result of a call on the wire.
///
/// @param name name, unique in its function
/// @param kind meaning of the value
/// @param type type on the wire
/// @param isNew whether the call creates the handle
/// @param isCurrent whether a generated stub takes the handle of the current context
/// @param checks conditions on the value, which the backend checks
/// @param maxBytes limit of [OperandType#BYTES]; 0 for other types
/// @param isFixed whether the number of bytes is always `maxBytes`
public record ApiOperand(
        String name,
        ValueKind kind,
        OperandType type,
        boolean isNew,
        boolean isCurrent,
        List<ValueCheck> checks,
        int maxBytes,
        boolean isFixed) {

    /// Returns whether the operand is one word.
    public boolean isWord() {
        return type != OperandType.BYTES;
    }
}
