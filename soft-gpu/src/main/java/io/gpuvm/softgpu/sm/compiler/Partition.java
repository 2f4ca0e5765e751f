package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import io.gpuvm.softgpu.sm.flow.BasicBlock;
import java.util.ArrayList;
import java.util.List;

/// Divides a block into parts.
final class Partition {
    /// Operations of a loop over lanes. The JVM's compiler makes vectors of loops up to a size;
    /// beyond, it neither unrolls nor widens them.
    private static final int MOST_COST = 40;

    private Partition() {}

    static List<Part> of(BasicBlock block) {
        List<Part> parts = new ArrayList<>();
        List<Instruction> instructions = block.instructions();
        int from = 0;
        int cost = 0;
        boolean isVector = true;
        Part.Kind open = null;
        for (int n = 0; n < instructions.size(); n++) {
            Instruction i = instructions.get(n);
            Part.Kind kind = kind(i);
            LaneEmitter emitter = kind == Part.Kind.SEGMENT ? Emitters.of(i) : null;
            int more = emitter != null ? emitter.cost(i) : 0;
            boolean isOther = emitter != null && emitter.isVector(i) != isVector;
            if (kind != open || kind == Part.Kind.BRANCH || cost + more > MOST_COST || isOther) {
                if (open != null) {
                    parts.add(new Part(open, from, n));
                }
                open = kind;
                from = n;
                cost = 0;
                isVector = emitter == null || emitter.isVector(i);
            }
            cost += more;
        }
        parts.add(new Part(open, from, instructions.size()));
        return parts;
    }

    private static Part.Kind kind(Instruction i) {
        if (isBranch(i)) {
            return Part.Kind.BRANCH;
        }
        return Emitters.of(i) != null ? Part.Kind.SEGMENT : Part.Kind.STEPS;
    }

    private static boolean isBranch(Instruction i) {
        return switch (i.opcode) {
            case BRA, JMP ->
                    i.error == null
                            && i.a == Rows.ZERO
                            && i.field(Field.B_BANK, -1) < 0
                            && i.condition == Instruction.ALWAYS;
            default -> false;
        };
    }
}
