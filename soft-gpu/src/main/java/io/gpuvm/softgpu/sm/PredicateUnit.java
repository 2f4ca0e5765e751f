package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;

/// Results of comparisons: predicates, or words that are true or false.
final class PredicateUnit {
    private static final int LANES = Rows.LANES;
    private static final LogicOp[] LOGIC = LogicOp.values();
    private static final int FLOAT_TRUE = Float.floatToRawIntBits(1);
    private static final int INTEGER_TRUE = -1;

    private PredicateUnit() {}

    /// Sets predicates from a comparison: the first is the result combined with the predicate
    /// operand, the second its complement combined in the same way.
    ///
    /// @param compared lanes whose comparison is true
    static void predicates(Warp warp, Instruction i, int mask, int compared) {
        int other = warp.predicates[i.psrc] ^ i.psrcFlip;
        int first = combine(i.logic, compared, other);
        int second = combine(i.logic, ~compared, other);
        warp.predicate(i.pdst2, mask, second);
        warp.predicate(i.pdst, mask, first);
    }

    /// Stores words from a comparison combined with the predicate operand.
    static void words(Warp warp, Instruction i, int mask, int compared) {
        int result = combine(i.logic, compared, warp.predicates[i.psrc] ^ i.psrcFlip);
        int yes = i.mode2 != 0 ? FLOAT_TRUE : INTEGER_TRUE;
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            r[d + l] = (result >>> l & 1) != 0 ? yes : 0;
        }
        if (i.setsConditions) {
            warp.conditionsOf(mask, d);
        }
        warp.commit(i, mask, d, 1);
    }

    /// Returns the combination of the first two predicates of PSET and PSETP.
    static int inner(Warp warp, Instruction i) {
        int a = warp.predicates[i.field(Field.PSRC_A, Warp.TRUE_PREDICATE)];
        int b = warp.predicates[i.field(Field.PSRC_B, Warp.TRUE_PREDICATE)];
        return combine(
                i.field(Field.LOGIC_INNER, 0),
                i.is(Field.PSRC_A_NOT) ? ~a : a,
                i.is(Field.PSRC_B_NOT) ? ~b : b);
    }

    private static int combine(int op, int a, int b) {
        return switch (LOGIC[op]) {
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
            case PASS_B -> b;
        };
    }
}
