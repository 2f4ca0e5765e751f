package io.gpuvm.gf100.isa;

/// How lanes vote; the code is the ordinal.
public enum VoteMode {
    ALL,
    ANY,
    /// All lanes say the same.
    EQ;

    private static final VoteMode[] MODES = values();

    /// The one with that code; codes above the last are a programming error.
    public static VoteMode of(int code) {
        return MODES[code];
    }
}
