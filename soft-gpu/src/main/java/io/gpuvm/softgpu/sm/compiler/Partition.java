package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import io.gpuvm.softgpu.sm.flow.BasicBlock;
import io.gpuvm.softgpu.sm.flow.Effects;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.util.ArrayList;
import java.util.List;

/// Divides a block into parts.
final class Partition {
    /// Operations of a loop over lanes that vectors are made of. The JVM's compiler does that for
    /// loops up to a size; beyond, it neither unrolls nor widens them. A loop of 40 operations
    /// takes three times as long as one of 30.
    private static final int MOST_VECTORS = 30;

    /// Operations of a loop over lanes without vectors.
    private static final int MOST_SCALARS = 160;

    /// Operations that vectors could be made of, one after the other, and that are worth a loop of
    /// their own even if those around them are none.
    private static final int WORTH_VECTORS = 12;

    private final List<Instruction> instructions;
    private final List<Part> parts = new ArrayList<>();
    private Part.Kind open;
    private int from;
    private int cost;

    private Partition(BasicBlock block) {
        instructions = block.instructions();
    }

    static List<Part> of(BasicBlock block) {
        return new Partition(block).parts();
    }

    private List<Part> parts() {
        for (int n = 0; n < instructions.size(); n++) {
            Instruction i = instructions.get(n);
            Part.Kind kind = kind(n);
            LaneEmitter emitter = isSegment(kind) ? Emitters.of(i) : null;
            int more = emitter == null ? 0 : emitter.cost(i);
            if (kind != open
                    || kind == Part.Kind.BRANCH
                    || cost + more > (kind == Part.Kind.VECTORS ? MOST_VECTORS : MOST_SCALARS)
                    || !isLoadable(n)) {
                close(n);
                open = kind;
            }
            cost += more;
        }
        close(instructions.size());
        return parts;
    }

    private void close(int to) {
        if (open != null) {
            parts.add(new Part(open, from, to));
        }
        from = to;
        cost = 0;
    }

    private static boolean isSegment(Part.Kind kind) {
        return kind == Part.Kind.VECTORS || kind == Part.Kind.SCALARS;
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
        if (!emitter.isVector(i)) {
            return Part.Kind.SCALARS;
        }
        boolean goesAlong = open == Part.Kind.SCALARS && vectorCost(n) < WORTH_VECTORS;
        return goesAlong ? Part.Kind.SCALARS : Part.Kind.VECTORS;
    }

    /// What the instructions from one on cost that vectors can be made of.
    private int vectorCost(int n) {
        int sum = 0;
        for (int k = n; k < instructions.size() && sum < WORTH_VECTORS; k++) {
            Instruction i = instructions.get(k);
            LaneEmitter emitter = Emitters.of(i);
            if (emitter == null || !emitter.isVector(i)) {
                break;
            }
            sum += emitter.cost(i);
        }
        return sum;
    }

    /// Whether an instruction, if it is a load, can be looked at before the open part begins.
    private boolean isLoadable(int n) {
        Instruction i = instructions.get(n);
        if (SharedLoadEmitter.bytes(i) == 0) {
            return true;
        }
        for (Instruction earlier : instructions.subList(from, n)) {
            boolean changes =
                    i.a != Rows.ZERO && Effects.of(earlier).writes().hasRegister(i.a / Rows.STRIDE);
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
