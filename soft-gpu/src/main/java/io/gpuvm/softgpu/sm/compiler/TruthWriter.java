package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.softgpu.sm.code.Instruction;

/// Writes the results of comparisons: predicates, or words that are true or false.
final class TruthWriter {
    private static final LogicOp[] LOGIC = LogicOp.values();
    private static final int FLOAT_TRUE = Float.floatToRawIntBits(1);

    private TruthWriter() {}

    /// Sets the two predicates of a comparison whose result is in a local variable: the result
    /// combined with the predicate operand, and its complement combined in the same way.
    static void setPredicates(Instruction i, LaneCode lane, int compared) {
        lane.code().iload(compared);
        lane.flags().push(i.psrc, i.psrcFlip);
        lane.combine(LOGIC[i.logic]);
        int first = lane.store();
        lane.code().iload(compared);
        lane.invert();
        lane.flags().push(i.psrc, i.psrcFlip);
        lane.combine(LOGIC[i.logic]);
        lane.flags().set(i.pdst2);
        lane.code().iload(first);
        lane.flags().set(i.pdst);
    }

    /// Pops the result of a comparison, and converts it to a word.
    static void setWord(Instruction i, LaneCode lane) {
        lane.flags().push(i.psrc, i.psrcFlip);
        lane.combine(LOGIC[i.logic]);
        if (i.mode2 != 0) {
            lane.push(FLOAT_TRUE);
            lane.code().iand();
        }
        finish(i, lane);
    }

    /// Pops a word, sets the condition code from it if the instruction requires this, and assigns
    /// it to the result.
    static void finish(Instruction i, LaneCode lane) {
        if (i.setsConditions) {
            lane.code().dup();
            int result = lane.store();
            lane.flags().setConditions(result);
        }
        lane.setInt(i.result);
    }
}
