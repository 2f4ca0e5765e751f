package io.gpuvm.gf100.isa;

/// Test of the condition code's four bits Z (zero), S (sign), C (carry), O (overflow); the code is
/// the ordinal.
///
/// The first sixteen tests interpret the code as the result of a comparison: S xor O means less, Z
/// means equal, and Z with S means unordered. The remaining tests read the bits directly. Source:
/// envytools `docs/hw/graph/tesla/cuda/isa.rst` (the same tests under other names).
public enum ConditionCode {
    F,
    LT,
    EQ,
    LE,
    GT,
    NE,
    GE,
    NUM,
    NAN,
    LTU,
    EQU,
    LEU,
    GTU,
    NEU,
    GEU,
    /// Always.
    T,
    /// No overflow.
    OFF,
    /// No carry: unsigned lower.
    LO,
    /// Sign clear.
    SFF,
    /// Unsigned lower or same.
    LS,
    /// Unsigned higher.
    HI,
    /// Sign set.
    SFT,
    /// Carry: unsigned higher or same.
    HS,
    /// Overflow.
    OFT;

    private static final ConditionCode[] ALL = values();

    /// Returns the test with this code; a code above the last is a programming error.
    public static ConditionCode of(int code) {
        return ALL[code];
    }
}
