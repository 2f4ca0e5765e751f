package io.gpuvm.gf100.isa;

/// Operations, named as NVIDIA's `cuobjdump` prints them for sm_20.
public enum Opcode {
    // Single precision.
    FADD,
    FADD32I,
    FMUL,
    FMUL32I,
    FFMA,
    FFMA32I,
    FMNMX,
    FSET,
    FSETP,
    FCMP,
    /// Range reduction before [#MUFU].
    RRO,
    /// Multi-function unit: reciprocals, logarithm, power, sine, cosine.
    MUFU,
    // Double precision.
    DADD,
    DMUL,
    DFMA,
    DMNMX,
    DSET,
    DSETP,
    // Integer.
    IADD,
    IADD32I,
    IMUL,
    IMUL32I,
    IMAD,
    IMAD32I,
    /// Shifts the first source and adds the second.
    ISCADD,
    ISCADD32I,
    IMNMX,
    ISET,
    ISETP,
    ICMP,
    /// Sum of the absolute difference and the third source.
    ISAD,
    // Logic and bits.
    LOP,
    LOP32I,
    SHL,
    SHR,
    BFE,
    BFI,
    /// Position of the leading 1 bit.
    FLO,
    POPC,
    /// Selects bytes of two words by a selector.
    PRMT,
    // Video: operations on parts of words, and a second operation with the third source.
    VADD,
    VMNMX,
    VABSDIFF,
    VSET,
    VSETP,
    VSHL,
    VSHR,
    VMAD,
    // Conversions.
    F2F,
    F2I,
    I2F,
    I2I,
    // Moves.
    MOV,
    MOV32I,
    SEL,
    S2R,
    /// State of a barrier.
    B2R,
    P2R,
    R2P,
    /// Address of the instruction.
    LEPC,
    // Predicates and condition code.
    CSET,
    CSETP,
    PSET,
    PSETP,
    VOTE,
    // Memory.
    LD,
    /// Loads from an address that is the same in all lanes.
    LDU,
    LDL,
    LDS,
    LDC,
    /// Loads and locks; the predicate is true if the lock was acquired.
    LDLK,
    LDSLK,
    /// [#LD] and [#LDU] in one instruction.
    LD_LDU,
    /// [#LDS] and [#LDU] in one instruction.
    LDS_LDU,
    ST,
    STL,
    STS,
    /// Stores and unlocks.
    STUL,
    STSUL,
    ATOM,
    RED,
    CCTL,
    CCTLL,
    MEMBAR,
    /// Fetches a texel by its index, unfiltered.
    TLD,
    // Control.
    BAR,
    BRA,
    /// Branches to the relative address that is the sum of a register and a number, or a constant.
    BRX,
    JMP,
    JMX,
    CAL,
    JCAL,
    PRET,
    RET,
    SSY,
    PBK,
    BRK,
    PCNT,
    CONT,
    PLONGJMP,
    LONGJMP,
    EXIT,
    /// Ends lanes as EXIT does; intended for pixels.
    KIL,
    BPT,
    /// Returns from the trap handler.
    RTT,
    NOP
}
