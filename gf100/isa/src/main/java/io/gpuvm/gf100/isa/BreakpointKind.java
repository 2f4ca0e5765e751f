package io.gpuvm.gf100.isa;

/// Operations of BPT. The ordinal is the encoding in the instruction.
public enum BreakpointKind {
    DRAIN,
    CAL,
    PAUSE,
    TRAP;
}
