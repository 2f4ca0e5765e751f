package io.gpuvm.gf100.isa;

/// What BPT does; the code is the ordinal.
public enum BreakpointKind {
    DRAIN,
    CAL,
    PAUSE,
    TRAP;
}
