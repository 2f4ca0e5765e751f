package io.gpuvm.gf100.classes;

/// Errors of instructions, as the hardware reports them in `TPC+648` (`nvkm/engine/gr/gf100.c`,
/// `gf100_mp_warp_error`).
public enum WarpError {
    /// The warp's stack is full, or its top entry is not of the type that the instruction pops.
    STACK_ERROR(0x01),
    API_STACK_ERROR(0x02),
    /// Return without a call.
    RET_EMPTY_STACK_ERROR(0x03),
    PC_WRAP(0x04),
    /// Jump to an address that is not a multiple of 8.
    MISALIGNED_PC(0x05),
    PC_OVERFLOW(0x06),
    MISALIGNED_IMMC_ADDR(0x07),
    /// Wide operand in a register whose number is not a multiple of its width.
    MISALIGNED_REG(0x08),
    /// Illegal instruction.
    ILLEGAL_INSTR_ENCODING(0x09),
    ILLEGAL_SPH_INSTR_COMBO(0x0a),
    ILLEGAL_INSTR_PARAM(0x0b),
    /// Constant operand outside its bank.
    INVALID_CONST_ADDR(0x0c),
    /// Register number beyond the number of registers that the launch requested.
    OOR_REG(0x0d),
    /// Shared or local address outside its memory.
    OOR_ADDR(0x0e),
    /// Address that is not a multiple of the access's width.
    MISALIGNED_ADDR(0x0f),
    /// Generic address for an instruction that accepts only global addresses.
    INVALID_ADDR_SPACE(0x10),
    ILLEGAL_INSTR_PARAM2(0x11),
    /// Constant load outside its bank.
    INVALID_CONST_ADDR_LDC(0x12),
    GEOMETRY_SM_ERROR(0x13),
    DIVERGENT(0x14),
    WARP_EXIT(0x15);

    private final int code;

    WarpError(int code) {
        this.code = code;
    }

    /// Returns the code in the register.
    public int code() {
        return code;
    }

    /// Returns the name of a code in the register, for messages.
    public static String nameOf(int code) {
        for (WarpError error : values()) {
            if (error.code == code) {
                return error.name();
            }
        }
        return "warp error %#x".formatted(code);
    }
}
