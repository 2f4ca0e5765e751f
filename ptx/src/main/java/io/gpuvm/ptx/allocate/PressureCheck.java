package io.gpuvm.ptx.allocate;

import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.List;

/// Decides whether the values that are live at the same time in a block fit into the registers, as
/// in most blocks: [Spiller] needs sets of values only in the others.
final class PressureCheck {
    private final int maxWords;
    private final int maxPredicates;

    /// Number of the block in which a value is live, from 1, by value.
    private final int[] stamps;

    private int stamp;
    private int words;
    private int predicates;

    /// @param values number of values of the function
    /// @param maxWords number of general registers
    /// @param maxPredicates number of predicate registers
    PressureCheck(int values, int maxWords, int maxPredicates) {
        this.maxWords = maxWords;
        this.maxPredicates = maxPredicates;
        stamps = new int[values];
    }

    /// Returns whether the registers suffice before and after each instruction of a block, and the
    /// block has no call, across which no value stays in a register.
    boolean holds(Block block, Liveness live) {
        stamp++;
        words = 0;
        predicates = 0;
        live.out(block).forEach(this::begin);
        begin(block.terminator().value());
        List<IrInstruction> instructions = block.instructions();
        boolean holds = fits();
        for (int i = instructions.size() - 1; i >= 0 && holds; i--) {
            holds = holds(instructions.get(i));
        }
        for (IrInstruction phi : block.phis()) {
            end(phi.result());
            begin(phi.result());
        }
        return holds && fits();
    }

    private boolean holds(IrInstruction instruction) {
        if (instruction.callee() != null) {
            return false;
        }
        for (Value result : instruction.results()) {
            end(result);
        }
        for (Use use : instruction.uses()) {
            begin(use.value());
        }
        // The results need registers besides the values that the instruction uses.
        int wordsBefore = words;
        int predicatesBefore = predicates;
        for (Value result : instruction.results()) {
            count(result, 1);
        }
        boolean holds = fits();
        words = wordsBefore;
        predicates = predicatesBefore;
        return holds;
    }

    private boolean fits() {
        return words <= maxWords && predicates <= maxPredicates;
    }

    private void begin(Value value) {
        if (value != null && !value.isFixed() && stamps[value.id()] != stamp) {
            stamps[value.id()] = stamp;
            count(value, 1);
        }
    }

    private void end(Value value) {
        if (!value.isFixed() && stamps[value.id()] == stamp) {
            stamps[value.id()] = 0;
            count(value, -1);
        }
    }

    private void count(Value value, int sign) {
        switch (value.kind()) {
            case WORD -> words += sign * value.words();
            case PREDICATE -> predicates += sign;
            case CARRY -> {}
        }
    }
}
