package io.gpuvm.gf100.isa;

/// Part of a source word that a video instruction reads; the code is the ordinal.
public enum VideoPart {
    B0,
    B1,
    B2,
    B3,
    H0,
    H1,
    WORD;

    private static final VideoPart[] ALL = values();

    /// Returns the part with this code; a code above the last is a programming error.
    public static VideoPart of(int code) {
        return ALL[code];
    }
}
