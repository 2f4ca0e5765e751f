package io.gpuvm.gf100.isa;

/// What BPT does; the code is the ordinal.
public enum BreakpointKind {
    DRAIN,
    CAL,
    PAUSE,
    TRAP;

    private static final BreakpointKind[] ALL = values();

    /// The one with that code; codes above the last are a programming error.
    public static BreakpointKind of(int code) {
        return ALL[code];
    }
}
