package io.gpuvm.gf100.isa;

/// Combination of a video instruction's first result with the third source; the code is the
/// ordinal.
public enum VideoResult {
    /// Replaces the upper half of the third source with the first result.
    H1,
    /// Replaces the lower half of the third source with the first result.
    H0,
    /// Replaces the lowest byte of the third source with the first result.
    B0,
    /// Replaces the third byte of the third source with the first result.
    B2,
    /// Adds the third source.
    ACC,
    /// Selects the smaller of the first result and the third source.
    MIN,
    /// Selects the greater of the first result and the third source.
    MAX,
    /// Leaves the first result unchanged.
    NONE;

    private static final VideoResult[] ALL = values();

    /// Returns the operation with this code; a code above the last is a programming error.
    public static VideoResult of(int code) {
        return ALL[code];
    }
}
