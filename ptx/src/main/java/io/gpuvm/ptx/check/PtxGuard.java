package io.gpuvm.ptx.check;

/// Condition of an instruction.
///
/// @param register predicate
/// @param negated whether the instruction executes if the predicate is false
public record PtxGuard(PtxRegister register, boolean negated) {}
