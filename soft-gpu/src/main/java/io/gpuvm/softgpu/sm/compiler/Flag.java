package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;

/// Numbers of the flags, each with one bit per lane: first the predicates with their own numbers,
/// then the condition code, then whether the lane is active.
final class Flag {
    static final int TRUE = Instruction.TRUE_PREDICATE;
    static final int ZERO = 8;
    static final int SIGN = 9;
    static final int CARRY = 10;
    static final int OVERFLOW = 11;
    static final int ACTIVE = 12;

    /// Number of the flag that is set after a NaN or an infinite number has been written.
    static final int SUSPECT = 13;

    static final int COUNT = 14;

    private Flag() {}
}
