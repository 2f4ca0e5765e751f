package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.Opcode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// How many of a multiprocessor's instructions were executed by the interpreter, and which of them
/// although their kernel is compiled.
///
/// Written by the thread that runs the multiprocessor, readable from any: each number was true at
/// some recent moment. An instruction is one of a warp.
final class InterpreterTally {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /// Cells behind those of the opcodes.
    private static final int INTERPRETED = Opcode.values().length;

    private static final int IN_COMPILED = INTERPRETED + 1;
    private static final int CELLS = INTERPRETED + 2;

    private final long[] cells = new long[CELLS];

    /// Instructions of a kernel that is not compiled.
    void interpreted(int instructions) {
        add(INTERPRETED, instructions);
    }

    /// Instructions of a compiled kernel, with those that it handed over.
    void inCompiled(int instructions) {
        add(IN_COMPILED, instructions);
    }

    /// An instruction that a compiled kernel hands to the interpreter.
    void handOver(Opcode opcode) {
        add(opcode.ordinal(), 1);
    }

    /// Instructions of kernels that were not compiled.
    long interpreted() {
        return get(INTERPRETED);
    }

    /// Instructions of compiled kernels.
    long inCompiled() {
        return get(IN_COMPILED);
    }

    /// Instructions of an opcode that compiled kernels handed over.
    long handedOver(Opcode opcode) {
        return get(opcode.ordinal());
    }

    private void add(int cell, int instructions) {
        CELL.setOpaque(cells, cell, cells[cell] + instructions);
    }

    private long get(int cell) {
        return (long) CELL.getOpaque(cells, cell);
    }
}
