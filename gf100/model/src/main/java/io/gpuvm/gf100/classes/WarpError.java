package io.gpuvm.gf100.classes;

/// What can be wrong with an instruction, as the hardware reports it in `TPC+648`
/// (`nvkm/engine/gr/gf100.c`, `gf100_mp_warp_error`).
public enum WarpError {
    /// The warp's stack is full, or its top is not what the instruction takes from it.
    STACK_ERROR(0x01),
    API_STACK_ERROR(0x02),
    /// A return without a call.
    RET_EMPTY_STACK_ERROR(0x03),
    PC_WRAP(0x04),
    /// A jump to what is not a multiple of 8.
    MISALIGNED_PC(0x05),
    PC_OVERFLOW(0x06),
    MISALIGNED_IMMC_ADDR(0x07),
    /// A wide operand in a register whose number is no multiple of its width.
    MISALIGNED_REG(0x08),
    /// No such instruction.
    ILLEGAL_INSTR_ENCODING(0x09),
    ILLEGAL_SPH_INSTR_COMBO(0x0a),
    ILLEGAL_INSTR_PARAM(0x0b),
    /// An operand of a constant bank outside the bank.
    INVALID_CONST_ADDR(0x0c),
    /// A register that the launch did not ask for.
    OOR_REG(0x0d),
    /// A shared or local address outside that memory.
    OOR_ADDR(0x0e),
    /// An address that is no multiple of the access's width.
    MISALIGNED_ADDR(0x0f),
    /// A generic address for an instruction that takes global ones only.
    INVALID_ADDR_SPACE(0x10),
    ILLEGAL_INSTR_PARAM2(0x11),
    /// A load from a constant bank outside the bank.
    INVALID_CONST_ADDR_LDC(0x12),
    GEOMETRY_SM_ERROR(0x13),
    DIVERGENT(0x14),
    WARP_EXIT(0x15);

    private final int code;

    WarpError(int code) {
        this.code = code;
    }

    /// The number in the register.
    public int code() {
        return code;
    }

    /// What the number in the register means, for messages.
    public static String nameOf(int code) {
        for (WarpError error : values()) {
            if (error.code == code) {
                return error.name();
            }
        }
        return "warp error %#x".formatted(code);
    }
}
