package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Values that are the same in all lanes of a warp that execute an instruction together. Immutable.
///
/// Lanes that execute an instruction together also executed the preceding instruction together,
/// except at the target of an entry of the warp's stack. Only there do diverged lanes reconverge,
/// regardless of the code executed since the entry was pushed; lanes that have dropped the entry do
/// not arrive there. Branches therefore preserve uniformity. At an entry's target, a value is
/// uniform if it was uniform at the push and cannot have been written since. If lanes cannot have
/// diverged since the push, values that are uniform where the entry is taken also remain uniform.
/// Lanes that exit do not matter: they never return.
///
/// Results about dead values are valid only if these values are written nevertheless.
///
/// Nothing is known at a kernel's first instruction, nor in any block if threads may leave for
/// unknown code.
public final class Uniformity {
    /// [Instruction#mode] of a move in all lanes.
    private static final int ALL_OF_A_QUAD = 0xf;

    /// Uniformity of an instruction's result.
    private enum Result {
        /// Result that is the same in all lanes if each operand is.
        OF_OPERANDS,
        /// Result that is the same in all lanes that execute the instruction.
        SAME,
        /// Result that may differ between lanes.
        DIFFERENT
    }

    private record Step(Instruction instruction, Effects effects, Result result) {}

    private static final class State {
        final BasicBlock block;
        final Step[] steps;

        /// Values that are uniform at the block's start; null until the block has been reached.
        ThreadValues atStart;

        boolean isOpen;

        /// Entries that the block's end takes from the stack; null if the end takes no entry.
        final StackFlow.Taken taken;

        /// True if lanes may have diverged above an entry that the block takes from the stack.
        boolean dropsParted;

        /// Values that are uniform before an instruction, by index of the instruction; the last
        /// element is for the block's end.
        ThreadValues[] before;

        State(BasicBlock block, StackFlow.Taken taken) {
            this.block = block;
            this.taken = taken;
            steps =
                    block.instructions().stream()
                            .map(i -> new Step(i, Effects.of(i), result(i)))
                            .toArray(Step[]::new);
        }

        void keep() {
            before = new ThreadValues[steps.length + 1];
            before[0] = atStart == null ? ThreadValues.NONE : atStart;
            for (int n = 0; n < steps.length; n++) {
                before[n + 1] = after(steps[n], before[n]);
            }
        }
    }

    private final StackFlow stack;
    private final Map<Integer, State> states = new HashMap<>();
    private final Deque<State> open = new ArrayDeque<>();

    /// Values that are uniform at a pushing instruction, by number of the instruction; null until
    /// the instruction has been reached.
    private final ThreadValues[] pushed;

    /// Values that may be written between a push and the point where the entry is taken, by number
    /// of the pushing instruction.
    private final List<ThreadValues> writes;

    /// Blocks that leave and drop an entry, by number of the pushing instruction.
    private final List<List<State>> droppers = new ArrayList<>();

    /// Numbers of the pushing instructions whose entry a reached block takes.
    private final BitSet taken = new BitSet();

    /// Numbers of the pushing instructions whose lanes may diverge before they take the entry.
    private final BitSet parted = new BitSet();

    private long steps;

    private Uniformity(KernelCode kernel) {
        stack = kernel.stack();
        pushed = new ThreadValues[stack.pushes().size()];
        for (BasicBlock block : stack.blocks()) {
            states.put(block.start(), new State(block, stack.taken(block)));
        }
        if (kernel.leaves() || !stack.isKnown()) {
            writes = List.of();
            states.values().forEach(state -> state.atStart = ThreadValues.NONE);
        } else {
            DivergentRegion region = DivergentRegion.of(stack);
            writes = region.writes();
            steps = region.steps();
            findDroppers();
            come(kernel.entry(), ThreadValues.NONE);
            while (!open.isEmpty()) {
                State state = open.pop();
                state.isOpen = false;
                update(state);
            }
        }
        states.values().forEach(State::keep);
    }

    public static Uniformity of(KernelCode kernel) {
        return new Uniformity(kernel);
    }

    /// Returns the values that are uniform before an instruction, among the lanes that reach it
    /// together.
    ///
    /// @param block a block of the kernel
    /// @param n index of the instruction in the block, or the block's size for the block's end
    public ThreadValues before(BasicBlock block, int n) {
        return states.get(block.start()).before[n];
    }

    /// Returns whether all lanes that reach an instruction together execute it and write the same
    /// values, so that execution for one lane suffices.
    ///
    /// @param block a block of the kernel
    /// @param n index of the instruction in the block
    public boolean isSame(BasicBlock block, int n) {
        State state = states.get(block.start());
        Step step = state.steps[n];
        return step.result == Result.OF_OPERANDS
                && Effects.isAlways(step.instruction)
                && !step.effects.writes().isEmpty()
                && step.effects.kills().equals(step.effects.writes())
                && step.effects.reads().minus(state.before[n]).isEmpty();
    }

    /// Returns the number of visits to blocks, to edges between blocks and to entries of the stack.
    /// For every kernel, the number is linear in the number of blocks, edges and entries: a visit
    /// is repeated only if fewer values are uniform than at the previous visit.
    long steps() {
        return steps;
    }

    private void findDroppers() {
        stack.pushes().forEach(_ -> droppers.add(new ArrayList<>()));
        for (State state : states.values()) {
            if (state.taken != null) {
                state.taken.dropped().stream().forEach(push -> droppers.get(push).add(state));
            }
        }
    }

    private void update(State state) {
        steps++;
        ThreadValues uniform = state.atStart;
        ThreadValues beforeLast = uniform;
        for (Step step : state.steps) {
            int push = stack.number(step.instruction);
            if (push >= 0 && !uniform.equals(pushed[push])) {
                pushed[push] = uniform;
                comeBack(push);
            }
            beforeLast = uniform;
            uniform = after(step, uniform);
        }
        Instruction last = state.block.last();
        boolean parts = parts(last, beforeLast);
        if (parts && !StackFlow.leaves(last)) {
            part(stack.atEnd(state.block));
        }
        for (int next : state.block.successors()) {
            come(next, uniform);
        }
        if (state.taken != null) {
            take(state, parts, uniform);
        }
    }

    private void take(State state, boolean parts, ThreadValues uniform) {
        BitSet entries = state.taken.entries();
        if (StackFlow.leaves(state.block.last()) && (parts || state.dropsParted)) {
            part(entries);
        }
        BitSet fresh = without(entries, taken);
        taken.or(fresh);
        for (int push = fresh.nextSetBit(0); push >= 0; push = fresh.nextSetBit(push + 1)) {
            comeBack(push);
        }
        BitSet whole = without(entries, parted);
        for (int push = whole.nextSetBit(0); push >= 0; push = whole.nextSetBit(push + 1)) {
            come(stack.pushes().get(push).target(), uniform);
        }
    }

    private static BitSet without(BitSet set, BitSet others) {
        BitSet rest = (BitSet) set.clone();
        rest.andNot(others);
        return rest;
    }

    /// Continues at the target of an entry, if lanes that have diverged reach it.
    private void comeBack(int push) {
        steps++;
        if (taken.get(push) && parted.get(push) && pushed[push] != null) {
            come(stack.pushes().get(push).target(), pushed[push].minus(writes.get(push)));
        }
    }

    private void come(int start, ThreadValues uniform) {
        steps++;
        State state = states.get(start);
        ThreadValues now = state.atStart == null ? uniform : state.atStart.and(uniform);
        if (!now.equals(state.atStart)) {
            state.atStart = now;
            reopen(state);
        }
    }

    /// Schedules another visit to a block, if the block has been reached.
    private void reopen(State state) {
        if (!state.isOpen && state.atStart != null) {
            state.isOpen = true;
            open.add(state);
        }
    }

    private void part(BitSet pushes) {
        BitSet more = without(pushes, parted);
        parted.or(more);
        for (int push = more.nextSetBit(0); push >= 0; push = more.nextSetBit(push + 1)) {
            comeBack(push);
            for (State dropper : droppers.get(push)) {
                steps++;
                if (!dropper.dropsParted) {
                    dropper.dropsParted = true;
                    reopen(dropper);
                }
            }
        }
    }

    /// Returns whether lanes that reach an instruction together may continue at different
    /// addresses, apart from exits.
    private static boolean parts(Instruction i, ThreadValues uniform) {
        boolean separates =
                i.joins
                        || StackFlow.leaves(i)
                        || switch (i.opcode) {
                            // Branches with a mode are taken by all lanes or by none.
                            case BRA, JMP -> i.mode == 0;
                            case BRX, JMX -> true;
                            default -> false;
                        };
        return separates && !isGuardUniform(i, uniform);
    }

    private static boolean isGuardUniform(Instruction i, ThreadValues uniform) {
        boolean predicate = i.guard == Instruction.TRUE_PREDICATE || uniform.hasPredicate(i.guard);
        int conditions = Effects.conditionsOfTest(i.condition);
        return predicate && (conditions & ~uniform.conditions()) == 0;
    }

    private static ThreadValues after(Step step, ThreadValues uniform) {
        ThreadValues written = step.effects.writes();
        if (written.isEmpty()) {
            return uniform;
        }
        boolean same =
                switch (step.result) {
                    case OF_OPERANDS -> step.effects.reads().minus(uniform).isEmpty();
                    case SAME -> isGuardUniform(step.instruction, uniform);
                    case DIFFERENT -> false;
                };
        return same ? uniform.or(step.effects.kills()) : uniform.minus(written);
    }

    private static Result result(Instruction i) {
        return switch (i.opcode) {
            case LD, LDU, LDL, LDS, LDLK, LDSLK, LD_LDU, LDS_LDU, ATOM, TLD -> Result.DIFFERENT;
            case MOV, MOV32I -> i.mode == ALL_OF_A_QUAD ? Result.OF_OPERANDS : Result.DIFFERENT;
            case VOTE, BAR -> Result.SAME;
            case S2R -> special(i.mode);
            default -> Result.OF_OPERANDS;
        };
    }

    private static Result special(int code) {
        return switch (SpecialRegister.of(code)) {
            case LANEID, TID, TID_X, TID_Y, TID_Z -> Result.DIFFERENT;
            case EQMASK, LTMASK, LEMASK, GTMASK, GEMASK -> Result.DIFFERENT;
            // All lanes read the clock at the same time, but this is not guaranteed.
            case CLOCKLO, CLOCKHI -> Result.DIFFERENT;
            case null, default -> Result.SAME;
        };
    }
}
