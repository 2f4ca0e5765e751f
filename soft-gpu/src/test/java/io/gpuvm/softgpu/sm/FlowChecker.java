package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import io.gpuvm.softgpu.sm.compiler.KernelClass;
import io.gpuvm.softgpu.sm.flow.BasicBlock;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import io.gpuvm.softgpu.sm.flow.Liveness;
import io.gpuvm.softgpu.sm.flow.ThreadValues;
import io.gpuvm.softgpu.sm.flow.Uniformity;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;

/// Substitute for compiled code: runs the interpreter one instruction at a time, and compares the
/// analysis of a kernel with the warp's state before each instruction.
///
/// A checker handles one kernel and one warp at a time, on one thread at a time.
final class FlowChecker implements Function<KernelCode, KernelClass> {
    private static final byte[] BYTES = StubCompiler.bytes(FlowChecker.class);

    private static FlowChecker current;

    /// Source of changes of values that are declared dead; null to leave these values unchanged.
    private Random scrambler;

    private final int[] lastBlock = new int[Rows.LANES];
    private KernelCode kernel;
    private Liveness liveness;
    private Uniformity uniformity;
    private int executed;
    private long uniformValues;

    /// Begins the check of a kernel's run.
    ///
    /// @param changes random numbers for changes of values that are declared dead; null to leave
    ///   these values unchanged
    void start(Random changes) {
        current = this;
        scrambler = changes;
        executed = 0;
        Arrays.fill(lastBlock, -1);
    }

    @Override
    public KernelClass apply(KernelCode code) {
        kernel = code;
        liveness = Liveness.of(code, ThreadValues.NONE);
        uniformity = Uniformity.of(code);
        return new KernelClass(BYTES, new Instruction[0]);
    }

    /// Returns the number of executed instructions.
    int executed() {
        return executed;
    }

    /// Returns the number of values that were declared uniform and were uniform, summed over all
    /// instructions.
    long uniformValues() {
        return uniformValues;
    }

    static int enter(Warp warp, Interpreter interpreter, int left) {
        current.step(warp, interpreter);
        return left - 1;
    }

    private void step(Warp warp, Interpreter interpreter) {
        BasicBlock block = block(warp.pc);
        int n = block == null ? 0 : (warp.pc - block.start()) / Instruction.BYTES;
        if (block != null) {
            comeTo(block, n, warp);
            if (scrambler == null) {
                check(warp, uniformity.before(block, n));
            }
        }
        int active = warp.active;
        executed++;
        interpreter.step(warp);
        if (block != null) {
            if (n == block.instructions().size() - 1) {
                for (int l = 0; l < lastBlock.length; l++) {
                    lastBlock[l] = (active >>> l & 1) != 0 ? block.start() : lastBlock[l];
                }
            }
            if (scrambler != null) {
                scramble(warp, active, liveness.after(block, n));
            }
        }
    }

    private BasicBlock block(int pc) {
        for (BasicBlock block : kernel.blocks()) {
            if (block.start() <= pc && pc < block.end()) {
                return block;
            }
        }
        return null;
    }

    /// Checks that every lane has reached a block from a known predecessor.
    private void comeTo(BasicBlock block, int n, Warp warp) {
        for (int l = 0; n == 0 && l < lastBlock.length; l++) {
            if ((warp.active >>> l & 1) != 0 && lastBlock[l] >= 0) {
                BasicBlock last = kernel.block(lastBlock[l]);
                assertTrue(
                        last.leaves() || last.successors().contains(block.start()),
                        () -> "from=0x%x to=0x%x".formatted(last.start(), block.start()));
            }
        }
    }

    private void check(Warp warp, ThreadValues uniform) {
        int active = warp.active;
        int first = Integer.numberOfTrailingZeros(active);
        for (long rest = uniform.registers(); rest != 0; rest &= rest - 1) {
            int number = Long.numberOfTrailingZeros(rest);
            int row = Rows.source(number);
            for (int l = 0; l < Rows.LANES; l++) {
                boolean same = warp.registers[row + l] == warp.registers[row + first];
                int lane = l;
                assertTrue(
                        same || (active >>> l & 1) == 0,
                        () -> "R%d lane=%d pc=0x%x".formatted(number, lane, warp.pc));
            }
        }
        for (int n = 0; n < Warp.TRUE_PREDICATE; n++) {
            if (uniform.hasPredicate(n)) {
                check(warp.predicates[n] & active, active, "P" + n);
            }
        }
        int[] conditions = {warp.zero, warp.sign, warp.carry, warp.overflow};
        for (int n = 0; n < conditions.length; n++) {
            if ((uniform.conditions() >>> n & 1) != 0) {
                check(conditions[n] & active, active, "condition=" + n);
            }
        }
        uniformValues += Long.bitCount(uniform.registers());
    }

    private static void check(int lanes, int active, String which) {
        assertTrue(lanes == 0 || lanes == active, which);
    }

    private void scramble(Warp warp, int lanes, ThreadValues alive) {
        for (int number = 0; number < Rows.ZERO_REGISTER; number++) {
            if (!alive.hasRegister(number)) {
                int value = scrambler.nextInt(4);
                for (int l = 0; l < Rows.LANES; l++) {
                    int row = Rows.source(number);
                    if ((lanes >>> l & 1) != 0) {
                        warp.registers[row + l] = value + l & 3;
                    }
                }
            }
        }
        for (int number = 0; number < Warp.TRUE_PREDICATE; number++) {
            if (!alive.hasPredicate(number)) {
                warp.predicates[number] ^= scrambler.nextInt() & lanes;
            }
        }
        int dead = ~alive.conditions();
        warp.zero ^= (dead & ThreadValues.ZERO) != 0 ? scrambler.nextInt() & lanes : 0;
        warp.sign ^= (dead & ThreadValues.SIGN) != 0 ? scrambler.nextInt() & lanes : 0;
        warp.carry ^= (dead & ThreadValues.CARRY) != 0 ? scrambler.nextInt() & lanes : 0;
        warp.overflow ^= (dead & ThreadValues.OVERFLOW) != 0 ? scrambler.nextInt() & lanes : 0;
    }
}
