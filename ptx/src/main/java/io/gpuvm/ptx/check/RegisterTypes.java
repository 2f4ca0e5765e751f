package io.gpuvm.ptx.check;

/// Agreement of the types of registers with the types of operands.
final class RegisterTypes {
    private static final int COUNT = PtxType.values().length;
    private static final boolean[] EQUAL = table(false);
    private static final boolean[] WIDER = table(true);

    private RegisterTypes() {}

    /// Returns whether a register is an operand of a type.
    ///
    /// @param wider whether the register may be wider than the operand
    static boolean agree(PtxType register, PtxType operand, boolean wider) {
        return (wider ? WIDER : EQUAL)[operand.ordinal() * COUNT + register.ordinal()];
    }

    private static boolean[] table(boolean wider) {
        boolean[] table = new boolean[COUNT * COUNT];
        for (PtxType operand : PtxType.values()) {
            for (PtxType register : PtxType.values()) {
                table[operand.ordinal() * COUNT + register.ordinal()] =
                        wider ? agreeIfWider(register, operand) : agreeIfEqual(register, operand);
            }
        }
        return table;
    }

    private static boolean agreeIfEqual(PtxType register, PtxType operand) {
        if (register.bits() != operand.bits() || register.kind() == PtxType.Kind.OPAQUE) {
            return false;
        }
        return switch (operand.kind()) {
            case PREDICATE -> register == PtxType.PRED;
            case BITS -> true;
            case UNSIGNED, SIGNED -> register.isInteger() || isBits(register);
            case FLOAT ->
                    register == operand
                            || isBits(register)
                            || operand == PtxType.F16 && register.isInteger();
            case OPAQUE -> false;
        };
    }

    private static boolean agreeIfWider(PtxType register, PtxType operand) {
        if (register.bits() == operand.bits()) {
            return agreeIfEqual(register, operand);
        }
        return register.bits() > operand.bits()
                && operand.kind() != PtxType.Kind.PREDICATE
                && (isBits(register) || register.isInteger() && !operand.isFloat());
    }

    private static boolean isBits(PtxType type) {
        return type.kind() == PtxType.Kind.BITS;
    }
}
