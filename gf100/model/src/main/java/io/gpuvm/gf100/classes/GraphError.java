package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// PGRAPH's report of a refused method: interrupt bits, the word that identifies the method, and
/// the codes of data errors.
///
/// Sources: envytools `rnndb/graph/gf100_pgraph/pgraph.xml`, `rnndb/g80_defs.xml`; nouveau
/// `nvkm/engine/gr/gf100.c`, `nv50.c`.
public final class GraphError {
    /// The class does not have the method.
    public static final BitField INTR_ILLEGAL_METHOD = bit(4);

    /// The class does not exist.
    public static final BitField INTR_ILLEGAL_CLASS = bit(5);

    /// The method's data is invalid; a code identifies the reason.
    public static final BitField INTR_DATA_ERROR = bit(20);

    /// A unit trapped during an operation.
    public static final BitField INTR_TRAP = bit(21);

    /// Number of the refused method, in the word that identifies the method.
    public static final BitField TRAPPED_METHOD = bits(13, 2).scaledBy(2);

    /// Subchannel of the refused method, in the same word.
    public static final BitField TRAPPED_SUBCHANNEL = bits(18, 16);

    public static final int CODE_INVALID_OPERATION = 0x03;
    public static final int CODE_INVALID_VALUE = 0x04;
    public static final int CODE_INVALID_ENUM = 0x05;
    public static final int CODE_INVALID_ADDRESS_ALIGNMENT = 0x0b;
    public static final int CODE_INVALID_BITFIELD = 0x0c;

    /// A block has more threads than the registers of a multiprocessor allow.
    public static final int CODE_NO_REGISTER_SPACE = 0x29;

    /// A block has more warps than a multiprocessor can hold.
    public static final int CODE_NOT_ENOUGH_WARPS = 0x2a;

    /// The block's dimensions are inconsistent with its number of threads.
    public static final int CODE_BLOCK_SIZE_MISMATCH = 0x2b;

    /// The temporary memory is too small for the local memory of a block's warps.
    public static final int CODE_NOT_ENOUGH_LOCAL_WARPS = 0x2c;

    /// The temporary memory is too small for the call stacks of a block's warps.
    public static final int CODE_NOT_ENOUGH_STACK_WARPS = 0x2d;

    private GraphError() {}

    /// Returns a description of a method's error, in nouveau's terms.
    ///
    /// @param interrupts pending interrupts
    /// @param code code of a data error
    public static String describe(int interrupts, int code) {
        if (INTR_DATA_ERROR.isSet(interrupts)) {
            return "DATA_ERROR " + codeName(code);
        }
        if (INTR_ILLEGAL_METHOD.isSet(interrupts)) {
            return "ILLEGAL_MTHD";
        }
        if (INTR_ILLEGAL_CLASS.isSet(interrupts)) {
            return "ILLEGAL_CLASS";
        }
        return "interrupts %#x".formatted(interrupts);
    }

    private static String codeName(int code) {
        return switch (code) {
            case CODE_INVALID_OPERATION -> "INVALID_OPERATION";
            case CODE_INVALID_VALUE -> "INVALID_VALUE";
            case CODE_INVALID_ENUM -> "INVALID_ENUM";
            case CODE_INVALID_ADDRESS_ALIGNMENT -> "INVALID_ADDRESS_ALIGNMENT";
            case CODE_INVALID_BITFIELD -> "INVALID_BITFIELD";
            case CODE_NO_REGISTER_SPACE -> "CP_NO_REG_SPACE_PACKED";
            case CODE_NOT_ENOUGH_WARPS -> "CP_NOT_ENOUGH_WARPS";
            case CODE_BLOCK_SIZE_MISMATCH -> "CP_BLOCK_SIZE_MISMATCH";
            case CODE_NOT_ENOUGH_LOCAL_WARPS -> "CP_NOT_ENOUGH_LOCAL_WARPS";
            case CODE_NOT_ENOUGH_STACK_WARPS -> "CP_NOT_ENOUGH_STACK_WARPS";
            default -> "%#x".formatted(code);
        };
    }
}
