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

/// Which values are the same in all lanes of a warp that execute an instruction together.
/// Immutable.
///
/// Lanes that execute together have been together before, and those that part come together again
/// only where an entry of the warp's stack leads: all that have not left by another way, whatever
/// they have done since the entry was pushed. So along branches nothing is lost. Where an entry
/// leads, what was uniform when it was pushed still is if nobody may have written it since; and if
/// lanes cannot have parted in the meantime, what is uniform where they take it. Lanes that exit
/// are of no concern: they never come back.
///
/// What is said of values that are dead is only true as long as they are written all the same.
///
/// Nothing is known of a kernel's first instruction, nor of any block's if threads may leave for
/// code that is not known.
public final class Uniformity {
    /// [Instruction#mode] of a move that is for all lanes.
    private static final int ALL_OF_A_QUAD = 0xf;

    /// What an instruction makes of uniform operands.
    private enum Result {
        /// The same in all lanes, if all operands are.
        OF_OPERANDS,
        /// The same in all lanes that execute it.
        SAME,
        /// Nobody knows.
        DIFFERENT
    }

    private record Step(Instruction instruction, Effects effects, Result result) {}

    private static final class State {
        final BasicBlock block;
        final Step[] steps;

        /// What is uniform at its start; null as long as nobody comes to it.
        ThreadValues atStart;

        boolean isOpen;

        /// What its end takes from the stack; null if nothing.
        final StackFlow.Taken taken;

        /// Whether lanes may have parted above an entry that it takes.
        boolean dropsParted;

        /// What is uniform before each instruction, and at the end.
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

    /// By number of an instruction that pushes: what is uniform there, null as long as nobody comes
    /// to it; what may be written before its entry is taken; and blocks that leave and drop it.
    private final ThreadValues[] pushed;

    private final List<ThreadValues> writes;
    private final List<List<State>> droppers = new ArrayList<>();

    /// Numbers of those whose entry is taken by a block that somebody comes to.
    private final BitSet taken = new BitSet();

    /// Numbers of those whose lanes may part before they take the entry.
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

    /// What is uniform before an instruction, among the lanes that come to it together.
    ///
    /// @param block one of the kernel's
    /// @param n index of the instruction in it; the block's size to ask what is uniform at its end
    public ThreadValues before(BasicBlock block, int n) {
        return states.get(block.start()).before[n];
    }

    /// Whether an instruction writes the same in all lanes that come to it together, and all of
    /// them execute it: one need only look at one lane's operands.
    ///
    /// @param block one of the kernel's
    /// @param n index of the instruction in it
    public boolean isSame(BasicBlock block, int n) {
        State state = states.get(block.start());
        Step step = state.steps[n];
        return step.result == Result.OF_OPERANDS
                && Effects.isAlways(step.instruction)
                && !step.effects.writes().isEmpty()
                && step.effects.kills().equals(step.effects.writes())
                && step.effects.reads().minus(state.before[n]).isEmpty();
    }

    /// How often blocks have been gone through, and ways between them and entries of the stack
    /// looked at. It is linear in their number, whatever the kernel: each is looked at again only
    /// when less is uniform there.
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

    /// Lanes that have parted come to where an entry leads, if anybody does.
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

    /// Has a block gone through again, if anybody comes to it.
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

    /// Whether some of the lanes that come to an instruction may go on elsewhere than others, other
    /// than by an exit.
    private static boolean parts(Instruction i, ThreadValues uniform) {
        boolean separates =
                i.joins
                        || StackFlow.leaves(i)
                        || switch (i.opcode) {
                            // Those that are taken by all or none have a mode.
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
            // Read at one time for all lanes, but nobody promises that.
            case CLOCKLO, CLOCKHI -> Result.DIFFERENT;
            case null, default -> Result.SAME;
        };
    }
}
