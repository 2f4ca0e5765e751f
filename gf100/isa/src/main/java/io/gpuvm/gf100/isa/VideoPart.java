package io.gpuvm.gf100.isa;

/// Which part of a source word a video instruction takes; the code is the ordinal.
public enum VideoPart {
    B0,
    B1,
    B2,
    B3,
    H0,
    H1,
    WORD;

    private static final VideoPart[] ALL = values();

    /// The one with that code; codes above the last are a programming error.
    public static VideoPart of(int code) {
        return ALL[code];
    }
}
