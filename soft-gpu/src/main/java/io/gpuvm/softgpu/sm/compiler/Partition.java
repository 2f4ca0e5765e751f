package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import io.gpuvm.softgpu.sm.flow.BasicBlock;
import io.gpuvm.softgpu.sm.flow.Effects;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import io.gpuvm.softgpu.sm.flow.ThreadValues;
import io.gpuvm.softgpu.sm.flow.Uniformity;
import java.util.ArrayList;
import java.util.List;

/// Divides a block into parts.
///
/// A lane loop is one loop over lanes. The JVM's compiler vectorizes loops up to a certain size; it
/// neither unrolls nor vectorizes larger loops. Consecutive instructions are therefore divided into
/// as few lane loops as their cost allows, all of about the same cost.
final class Partition {
    /// Maximum cost of a vectorized loop over lanes: its operations, and the rows that it reads and
    /// writes.
    private static final int MOST_VECTORS = 30;

    /// Maximum cost of a loop over lanes without vectors.
    private static final int MOST_SCALARS = 160;

    /// Minimum cost of consecutive vectorizable instructions for a separate loop, if the adjacent
    /// instructions cannot be vectorized.
    private static final int WORTH_VECTORS = 12;

    private final BasicBlock block;
    private final Uniformity uniformity;
    private final List<Instruction> instructions;
    private final List<Part> parts = new ArrayList<>();
    private Part.Kind open;
    private int from;

    private Partition(BasicBlock block, Uniformity uniformity) {
        this.block = block;
        this.uniformity = uniformity;
        instructions = block.instructions();
    }

    static List<Part> of(BasicBlock block, Uniformity uniformity) {
        return new Partition(block, uniformity).parts();
    }

    private List<Part> parts() {
        for (int n = 0; n < instructions.size(); n++) {
            Part.Kind kind = kind(n);
            if (kind != open || kind == Part.Kind.BRANCH || !isLoadable(n)) {
                close(n);
                open = kind;
            }
        }
        close(instructions.size());
        return parts;
    }

    private void close(int to) {
        if (open == Part.Kind.VECTORS) {
            divide(to, MOST_VECTORS);
        } else if (open == Part.Kind.SCALARS) {
            divide(to, MOST_SCALARS);
        } else if (open != null) {
            parts.add(new Part(open, from, to));
        }
        from = to;
    }

    /// Divides the open part into as few parts as possible, and minimizes the cost of the most
    /// expensive part.
    private void divide(int to, int most) {
        int count = endsOfParts(to, most).size();
        int tooLittle = 0;
        int enough = most;
        while (count > 1 && enough - tooLittle > 1) {
            int middle = tooLittle + enough >>> 1;
            if (endsOfParts(to, middle).size() <= count) {
                enough = middle;
            } else {
                tooLittle = middle;
            }
        }
        for (int end : endsOfParts(to, enough)) {
            parts.add(new Part(open, from, end));
            from = end;
        }
    }

    /// Returns the ends of the parts if each is extended until the next instruction would exceed
    /// the maximum cost.
    private List<Integer> endsOfParts(int to, int most) {
        List<Integer> ends = new ArrayList<>();
        Cost cost = new Cost(uniformity.before(block, from));
        for (int n = from; n < to; n++) {
            int before = cost.sum;
            cost.add(n);
            if (cost.sum > most && before > 0) {
                ends.add(n);
                cost = new Cost(uniformity.before(block, n));
                cost.add(n);
            }
        }
        ends.add(to);
        return ends;
    }

    /// Cost of instructions in one loop.
    private final class Cost {
        int sum;

        /// Registers that need not be read again, one bit each.
        private long known;

        /// Registers that have been written, one bit each.
        private long written;

        Cost(ThreadValues uniform) {
            known = uniform.registers();
        }

        void add(int n) {
            Effects effects = Effects.of(instructions.get(n));
            long writes = effects.writes().registers();
            if (!uniformity.isSame(block, n)) {
                long reads = effects.reads().registers();
                sum += Emitters.of(instructions.get(n)).cost(instructions.get(n));
                sum += Long.bitCount(reads & ~known);
                known |= reads;
            }
            sum += Long.bitCount(writes & ~written);
            known |= writes;
            written |= writes;
        }
    }

    private Part.Kind kind(int n) {
        Instruction i = instructions.get(n);
        if (isBranch(i)) {
            return Part.Kind.BRANCH;
        }
        LaneEmitter emitter = Emitters.of(i);
        if (emitter == null) {
            return Part.Kind.STEPS;
        }
        if (uniformity.isSame(block, n)) {
            return open == Part.Kind.SCALARS ? open : Part.Kind.VECTORS;
        }
        if (!emitter.isVector(i)) {
            return Part.Kind.SCALARS;
        }
        boolean goesAlong = open == Part.Kind.SCALARS && vectorCost(n) < WORTH_VECTORS;
        return goesAlong ? Part.Kind.SCALARS : Part.Kind.VECTORS;
    }

    /// Returns the cost of the vectorizable instructions from an index on.
    private int vectorCost(int n) {
        int sum = 0;
        for (int k = n; k < instructions.size() && sum < WORTH_VECTORS; k++) {
            Instruction i = instructions.get(k);
            LaneEmitter emitter = Emitters.of(i);
            boolean isSame = uniformity.isSame(block, k);
            if (emitter == null || !isSame && !emitter.isVector(i)) {
                break;
            }
            sum += isSame ? 0 : emitter.cost(i);
        }
        return sum;
    }

    /// Returns whether the address of an instruction, if it is a load, can be checked before the
    /// open part begins.
    private boolean isLoadable(int n) {
        Instruction i = instructions.get(n);
        if (SharedLoadEmitter.bytes(i) == 0) {
            return true;
        }
        for (Instruction earlier : instructions.subList(from, n)) {
            boolean changes =
                    i.a != Rows.ZERO
                            && Effects.of(earlier).writes().hasRegister(Rows.register(i.a));
            boolean agrees =
                    SharedLoadEmitter.bytes(earlier) == 0
                            || earlier.a != i.a
                            || SharedAddresses.agree(earlier, i);
            if (changes || !agrees) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBranch(Instruction i) {
        return switch (i.opcode) {
            case BRA, JMP ->
                    i.error == null && KernelCode.isDirect(i) && i.condition == Instruction.ALWAYS;
            default -> false;
        };
    }
}
