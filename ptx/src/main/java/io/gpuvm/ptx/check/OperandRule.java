package io.gpuvm.ptx.check;

import java.util.List;

/// Operand in the table of instructions.
///
/// @param type number of a type of the operation from 1, `w` or the name of a type, or empty
record OperandRule(OperandRole role, String type, boolean optional) {
    /// Type of operands that hold an address of either width.
    static final String ADDRESS = "address";

    static OperandRule of(String text) {
        boolean optional = text.endsWith("?");
        String type = text.substring(1, text.length() - (optional ? 1 : 0));
        return new OperandRule(OperandRole.of(text.charAt(0)), type, optional);
    }

    boolean isAddress() {
        return type.equals(ADDRESS);
    }

    /// Returns the type in an operation with types; null for an address and for operands without
    /// type.
    PtxType in(List<PtxType> types) {
        if (type.isEmpty() || isAddress()) {
            return null;
        }
        if (type.equals("w")) {
            return PtxType.of(types.getFirst().word().charAt(0) + "" + types.getFirst().bits() * 2);
        }
        if (Character.isDigit(type.charAt(0))) {
            return types.get(Integer.parseInt(type) - 1);
        }
        return PtxType.of(type);
    }
}
