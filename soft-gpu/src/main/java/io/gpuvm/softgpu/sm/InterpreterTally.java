package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.Opcode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Instruction counts of one multiprocessor: of interpreted kernels, of compiled kernels and, by
/// opcode, of instructions that compiled kernels passed to the interpreter.
///
/// Written by the thread that runs the multiprocessor; any thread may read. Each number was exact
/// at a recent moment. All instructions are warp instructions.
final class InterpreterTally {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /// Index of the cell of interpreted kernels, after the cells of the opcodes.
    private static final int INTERPRETED = Opcode.values().length;

    /// Index of the cell of compiled kernels.
    private static final int IN_COMPILED = INTERPRETED + 1;

    private static final int CELLS = INTERPRETED + 2;

    private final long[] cells = new long[CELLS];

    /// Adds instructions of an interpreted kernel.
    void interpreted(int instructions) {
        add(INTERPRETED, instructions);
    }

    /// Adds instructions of a compiled kernel, including those passed to the interpreter.
    void inCompiled(int instructions) {
        add(IN_COMPILED, instructions);
    }

    /// Counts an instruction that a compiled kernel passes to the interpreter.
    void handOver(Opcode opcode) {
        add(opcode.ordinal(), 1);
    }

    /// Returns the number of instructions of interpreted kernels.
    long interpreted() {
        return get(INTERPRETED);
    }

    /// Returns the number of instructions of compiled kernels.
    long inCompiled() {
        return get(IN_COMPILED);
    }

    /// Returns the number of instructions of an opcode that compiled kernels passed to the
    /// interpreter.
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
