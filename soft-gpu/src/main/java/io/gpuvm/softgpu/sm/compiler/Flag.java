package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;

/// Numbers of what a lane has one bit of: predicates as they are, then the condition code, then
/// whether it is among those that execute.
final class Flag {
    static final int TRUE = Instruction.TRUE_PREDICATE;
    static final int ZERO = 8;
    static final int SIGN = 9;
    static final int CARRY = 10;
    static final int OVERFLOW = 11;
    static final int ACTIVE = 12;

    /// Whether a number that is none, or infinite, has been written.
    static final int SUSPECT = 13;

    static final int COUNT = 14;

    private Flag() {}
}
