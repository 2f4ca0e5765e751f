package io.gpuvm.ptx.check;

/// State space of a variable or memory access.
public enum PtxSpace {
    /// Address of any space; the hardware selects the space by windows in the address range.
    GENERIC,
    CONST,
    GLOBAL,
    LOCAL,
    PARAM,
    SHARED
}
