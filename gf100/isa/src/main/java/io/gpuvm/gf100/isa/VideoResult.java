package io.gpuvm.gf100.isa;

/// Combination of a video instruction's first result with the third source; the code is the
/// ordinal.
public enum VideoResult {
    /// Puts it into the third source's upper half.
    H1,
    /// Puts it into the third source's lower half.
    H0,
    /// Puts it into the third source's lowest byte.
    B0,
    /// Puts it into the third source's third byte.
    B2,
    /// Adds the third source.
    ACC,
    /// Takes the smaller of the two.
    MIN,
    /// Takes the greater of the two.
    MAX,
    /// Leaves it as it is.
    NONE;

    private static final VideoResult[] ALL = values();

    /// Returns the operation with this code; a code above the last is a programming error.
    public static VideoResult of(int code) {
        return ALL[code];
    }
}
