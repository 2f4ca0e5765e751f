package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.alu.Conditions;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.Arrays;

/// 32 threads in lockstep: their complete state at every instruction boundary, in plain arrays and
/// words.
///
/// Predicates and bits of the condition code are one word each, with a bit per lane. Confined to
/// the thread that runs the block.
final class Warp {
    static final int ALL_LANES = -1;

    /// Number of the predicate that is always true.
    static final int TRUE_PREDICATE = Instruction.TRUE_PREDICATE;

    private static final int PREDICATES = 8;

    /// Number of the warp in its block.
    final int number;

    /// Registers of all lanes, in the layout that [Rows] defines.
    final int[] registers = new int[Rows.WORDS];

    final int[] predicates = new int[PREDICATES];
    int zero;
    int sign;
    int carry;
    int overflow;

    /// Offset of the next instruction from the start of the code segment, in bytes.
    int pc;

    /// Lanes that execute the next instruction.
    int active;

    /// Lanes that have a thread: all, except in the last warp of a block.
    int threads;

    /// Lanes whose threads have not exited.
    int alive;

    final DivergenceStack stack = new DivergenceStack();

    /// Instruction in execution, or executed last; null while the next instruction is fetched.
    Instruction current;

    /// Lanes that execute the current instruction.
    int mask;

    /// Lane for reports: the lane that failed; otherwise, the first lane that executes.
    int lane;

    /// Number of the barrier at which the warp waits; -1 if there is none.
    int barrier;

    /// True if compiled code has ended the turn early, so that the warp's lead over other warps
    /// does not grow.
    boolean isAhead;

    Warp(int number) {
        this.number = number;
        for (int copy = 0; copy < Rows.LANE_BITS_ROWS; copy++) {
            for (int l = 0; l < Rows.LANES; l++) {
                registers[Rows.LANE_BITS + copy * Rows.STRIDE + l] = 1 << l;
                registers[Rows.LANE_SIGNS + copy * Rows.STRIDE + l] = 1 << Integer.SIZE - 1 - l;
            }
        }
    }

    /// Initializes the warp at the start of a kernel.
    ///
    /// @param count number of lanes that have a thread
    void start(int entry, int count, ThreadStorage storage) {
        // Instructions cannot name other registers.
        Arrays.fill(registers, Rows.START, Rows.source(storage.registers()), 0);
        Arrays.fill(predicates, 0);
        predicates[TRUE_PREDICATE] = ALL_LANES;
        zero = 0;
        sign = 0;
        carry = 0;
        overflow = 0;
        pc = entry;
        threads = count >= Rows.LANES ? ALL_LANES : (1 << count) - 1;
        active = threads;
        alive = threads;
        stack.start(storage.callStackBytes());
        current = null;
        mask = 0;
        lane = 0;
        barrier = -1;
    }

    boolean isDone() {
        return alive == 0;
    }

    /// Returns the row for an instruction's result: the row of the result register if every thread
    /// executes the instruction, otherwise a temporary row. [#commit] must follow.
    int target(Instruction instruction, int lanes) {
        return (lanes | ~threads) == ALL_LANES ? instruction.result : Rows.MASKED;
    }

    /// Merges the results of the lanes that execute.
    ///
    /// @param row row from [#target]
    /// @param rows number of registers of the result
    void commit(Instruction instruction, int lanes, int row, int rows) {
        if (row == Rows.MASKED) {
            for (int i = 0; i < rows; i++) {
                blend(instruction.result + i * Rows.STRIDE, row + i * Rows.STRIDE, lanes);
            }
        }
    }

    private void blend(int to, int from, int lanes) {
        int[] r = registers;
        for (int l = 0; l < Rows.LANES; l++) {
            r[to + l] = (lanes >>> l & 1) != 0 ? r[from + l] : r[to + l];
        }
    }

    /// Sets a predicate in the lanes that execute.
    void predicate(int number, int lanes, int values) {
        if (number != TRUE_PREDICATE) {
            predicates[number] = predicates[number] & ~lanes | values & lanes;
        }
    }

    /// Sets the condition code in the lanes that execute.
    void conditions(int lanes, int zeros, int signs, int carries, int overflows) {
        zero = zero & ~lanes | zeros & lanes;
        sign = sign & ~lanes | signs & lanes;
        carry = carry & ~lanes | carries & lanes;
        overflow = overflow & ~lanes | overflows & lanes;
    }

    /// Sets the zero and sign flags from a row of integers; clears the other bits of the condition
    /// code.
    void conditionsOf(int lanes, int row) {
        conditions(lanes, zerosOf(row), signsOf(row), 0, 0);
    }

    int zerosOf(int row) {
        int zeros = 0;
        for (int l = Rows.LANES - 1; l >= 0; l--) {
            zeros = zeros << 1 | (registers[row + l] == 0 ? 1 : 0);
        }
        return zeros;
    }

    int signsOf(int row) {
        int signs = 0;
        for (int l = Rows.LANES - 1; l >= 0; l--) {
            signs = signs << 1 | registers[row + l] >>> Integer.SIZE - 1;
        }
        return signs;
    }

    /// Returns the lanes whose condition code passes a test.
    ///
    /// @param code ordinal of [io.gpuvm.gf100.isa.ConditionCode]
    int test(int code) {
        return Conditions.test(code, zero, sign, carry, overflow);
    }

    static boolean isAlways(int code) {
        return code == Instruction.ALWAYS;
    }
}
