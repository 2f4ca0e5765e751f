package io.gpuvm.gf100.isa;

/// How lanes vote; the code is the ordinal.
public enum VoteMode {
    ALL,
    ANY,
    /// All lanes say the same.
    EQ;
}
