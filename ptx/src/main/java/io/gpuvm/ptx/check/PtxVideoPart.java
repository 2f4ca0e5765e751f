package io.gpuvm.ptx.check;

/// Part of a 32-bit operand of a video instruction.
public enum PtxVideoPart {
    B0,
    B1,
    B2,
    B3,
    H0,
    H1,
    WORD
}
