package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.BarrierOp;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.Arrays;

/// Barriers of a block, at which warps wait for each other and combine predicates.
///
/// A barrier counts each warp as 32 threads, regardless of its lanes. If no number of threads is
/// given, a barrier waits for all warps that have not exited.
final class Barriers {
    private static final int MOST = 16;

    private final WarpTrap trap;
    private final int[] arrivedWarps = new int[MOST];

    /// Number of warps that a barrier waits for, by barrier; 0 for all warps.
    private final int[] expectedWarps = new int[MOST];

    private final int[] yesThreads = new int[MOST];
    private final boolean[] allYes = new boolean[MOST];
    private int count;

    Barriers(WarpTrap trap) {
        this.trap = trap;
    }

    /// Starts a block.
    ///
    /// @param barriers number of the block's barriers
    void begin(int barriers) {
        count = barriers;
        for (int number = 0; number < MOST; number++) {
            reset(number);
        }
    }

    private void reset(int number) {
        arrivedWarps[number] = 0;
        expectedWarps[number] = 0;
        yesThreads[number] = 0;
        allYes[number] = true;
    }

    /// Records the arrival of a warp at a barrier; the warp must wait if [Warp#barrier] is set
    /// afterwards.
    void arrive(Warp warp, Instruction i, int mask, Block block) {
        int number = operand(warp, i, mask, Field.BARRIER_REGISTER, Field.BARRIER);
        if (Integer.compareUnsigned(number, count) >= 0) {
            throw trap.of(WarpError.ILLEGAL_INSTR_PARAM);
        }
        int threads = operand(warp, i, mask, Field.THREADS_REGISTER, Field.THREADS);
        if (threads % Rows.LANES != 0 || threads < 0 || threads > Block.MOST_THREADS) {
            throw trap.of(WarpError.ILLEGAL_INSTR_PARAM);
        }
        int yes = (warp.predicates[i.psrc] ^ i.psrcFlip) & mask;
        yesThreads[number] += Integer.bitCount(yes);
        allYes[number] &= yes == mask;
        arrivedWarps[number]++;
        expectedWarps[number] = threads / Rows.LANES;
        if (i.field(Field.BARRIER_OP, 0) != BarrierOp.ARRIVE.code()) {
            warp.barrier = number;
        }
        release(number, block);
    }

    /// Records the exit of a warp: barriers for all warps wait for one warp fewer.
    void onExit(Block block) {
        for (int number = 0; number < count; number++) {
            if (arrivedWarps[number] > 0) {
                release(number, block);
            }
        }
    }

    private void release(int number, Block block) {
        int expected = expectedWarps[number];
        if (arrivedWarps[number] < (expected == 0 ? block.aliveWarps() : expected)) {
            return;
        }
        for (int w = 0; w < block.warps(); w++) {
            Warp warp = block.warp(w);
            if (warp.barrier == number) {
                warp.barrier = -1;
                result(warp, number);
            }
        }
        reset(number);
    }

    /// Assigns the combined predicates of a barrier to a warp.
    private void result(Warp warp, int number) {
        Instruction i = warp.current;
        int all = allYes[number] ? Warp.ALL_LANES : 0;
        int any = yesThreads[number] != 0 ? Warp.ALL_LANES : 0;
        int predicate = i.field(Field.BARRIER_OP, 0) == BarrierOp.AND.code() ? all : any;
        int word =
                i.field(Field.BARRIER_OP, 0) == BarrierOp.POPC.code()
                        ? yesThreads[number]
                        : predicate;
        int d = warp.target(i, warp.mask);
        Arrays.fill(warp.registers, d, d + Rows.LANES, word);
        warp.commit(i, warp.mask, d, 1);
        warp.predicate(i.pdst, warp.mask, predicate);
    }

    /// Returns an operand: an immediate value, or a register's value in the first lane.
    private static int operand(Warp warp, Instruction i, int mask, Field register, Field number) {
        int value = i.field(register, Rows.ZERO_REGISTER);
        if (value != Rows.ZERO_REGISTER) {
            return warp.registers[Rows.source(value) + Integer.numberOfTrailingZeros(mask)];
        }
        return i.field(number, 0);
    }
}
