package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which values of a thread somebody may still read: what is not alive may be anything.
///
/// Says what each thread needs, whatever the others of its warp do: a value that is alive in no
/// thread at some place is so in none that is there. Where a thread leaves for code that is not
/// known, everything is alive. Immutable.
public final class Liveness {
    /// One block: what is alive at its start, and after each instruction.
    private static final class BlockLiveness {
        final BasicBlock block;
        final Step[] steps;
        final ThreadValues[] after;
        final List<BlockLiveness> predecessors = new ArrayList<>();
        ThreadValues atStart = ThreadValues.NONE;
        ThreadValues atEnd;
        boolean isOpen = true;

        BlockLiveness(BasicBlock block, ThreadValues atEnd) {
            this.block = block;
            this.atEnd = atEnd;
            steps = block.instructions().stream().map(Step::of).toArray(Step[]::new);
            after = new ThreadValues[steps.length];
        }

        /// Goes through it from its end.
        ///
        /// @return whether more is alive at its start than was thought
        boolean update() {
            AliveValues alive = new AliveValues(atEnd);
            for (int n = steps.length - 1; n >= 0; n--) {
                steps[n].goBack(alive);
            }
            ThreadValues start = alive.all();
            boolean grew = !start.equals(atStart);
            atStart = start;
            return grew;
        }

        /// @return whether more is alive at its end than was thought
        boolean grow(ThreadValues alive) {
            ThreadValues end = atEnd.or(alive);
            boolean grew = !end.equals(atEnd);
            atEnd = end;
            return grew;
        }

        void keep() {
            AliveValues alive = new AliveValues(atEnd);
            for (int n = steps.length - 1; n >= 0; n--) {
                after[n] = alive.all();
                steps[n].goBack(alive);
            }
        }
    }

    /// What an instruction does.
    ///
    /// @param guard see [AliveValues#goBack], negative if every thread executes it
    /// @param decides what decides who executes it
    /// @param kills in those that do
    private record Step(
            int guard,
            ThreadValues decides,
            ThreadValues reads,
            ThreadValues writes,
            ThreadValues kills) {
        static Step of(Instruction i) {
            Effects effects = Effects.of(i);
            boolean byPredicate =
                    i.guard != Instruction.TRUE_PREDICATE && i.condition == Instruction.ALWAYS;
            if (!byPredicate) {
                return new Step(
                        -1, ThreadValues.NONE, effects.reads(), effects.writes(), effects.kills());
            }
            return new Step(
                    i.guard << 1 | i.guardFlip & 1,
                    new ThreadValues(0, 1 << i.guard, 0),
                    Effects.readsIfExecuted(i),
                    effects.writes(),
                    Effects.killsIfExecuted(i));
        }

        void goBack(AliveValues alive) {
            if (guard < 0) {
                alive.goBack(reads, writes, kills);
            } else {
                alive.goBack(guard, decides, reads, writes, kills);
            }
        }
    }

    private final Map<Integer, BlockLiveness> blocks;
    private final int steps;

    private Liveness(Map<Integer, BlockLiveness> blocks, int steps) {
        this.blocks = blocks;
        this.steps = steps;
    }

    /// @param atExit what somebody looks at when a thread has ended: nothing, but for tests
    public static Liveness of(KernelCode kernel, ThreadValues atExit) {
        Map<Integer, BlockLiveness> blocks = HashMap.newHashMap(kernel.blocks().size());
        Deque<BlockLiveness> open = new ArrayDeque<>();
        for (BasicBlock block : kernel.blocks()) {
            BlockLiveness liveness = new BlockLiveness(block, atEnd(block, atExit));
            blocks.put(block.start(), liveness);
            open.push(liveness);
        }
        for (BlockLiveness block : blocks.values()) {
            for (int successor : block.block.successors()) {
                blocks.get(successor).predecessors.add(block);
            }
        }
        int steps = 0;
        while (!open.isEmpty()) {
            BlockLiveness block = open.pop();
            block.isOpen = false;
            steps++;
            if (block.update()) {
                for (BlockLiveness predecessor : block.predecessors) {
                    if (predecessor.grow(block.atStart) && !predecessor.isOpen) {
                        predecessor.isOpen = true;
                        open.push(predecessor);
                    }
                }
            }
        }
        blocks.values().forEach(BlockLiveness::keep);
        return new Liveness(blocks, steps);
    }

    private static ThreadValues atEnd(BasicBlock block, ThreadValues atExit) {
        if (block.leaves()) {
            return ThreadValues.ALL;
        }
        return mayEnd(block.last()) ? atExit : ThreadValues.NONE;
    }

    /// Whether a thread may end with it, by what it says or by an error that is known.
    private static boolean mayEnd(Instruction i) {
        return i.error != null
                || switch (i.opcode) {
                    case EXIT, KIL -> true;
                    default -> false;
                };
    }

    /// How often blocks have been gone through: each only when more is alive at its end, so at most
    /// once for each value.
    int steps() {
        return steps;
    }

    /// What is alive when an instruction has been executed.
    ///
    /// @param block one of the kernel's
    /// @param n index of the instruction in it
    public ThreadValues after(BasicBlock block, int n) {
        return blocks.get(block.start()).after[n];
    }

    /// What is alive when a thread comes to a block.
    public ThreadValues atStart(BasicBlock block) {
        return blocks.get(block.start()).atStart;
    }
}
