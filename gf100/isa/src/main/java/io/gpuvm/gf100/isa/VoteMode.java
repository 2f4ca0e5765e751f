package io.gpuvm.gf100.isa;

/// Rule of a vote among lanes; the code is the ordinal.
public enum VoteMode {
    ALL,
    ANY,
    /// All lanes have the same predicate value.
    EQ;
}
