package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Live values of a thread. A live value may still be read; a dead value may be arbitrary.
///
/// The analysis considers each thread, regardless of the other threads of its warp: a value that is
/// dead at a point is dead there in all threads. All values are live at a point where a thread
/// leaves for unknown code. Immutable.
public final class Liveness {
    /// Values that are live at the start of a block, and after each of its instructions.
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

        /// Analyses the block from its end to its start.
        ///
        /// @return whether more values are live at the block's start than before
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

        /// @return whether more values are live at the block's end than before
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

    /// Effects of an instruction.
    ///
    /// @param guard see [AliveValues#goBack], negative unless a predicate alone decides the
    ///   execution
    /// @param decides values that decide whether a thread executes the instruction
    /// @param kills values that the instruction overwrites in the threads that execute the
    ///   instruction
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

    /// @param atExit values that are read after a thread has ended: none, except in tests
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

    /// Returns whether a thread may end at the instruction, by its opcode or by a known error.
    private static boolean mayEnd(Instruction i) {
        return i.error != null
                || switch (i.opcode) {
                    case EXIT, KIL -> true;
                    default -> false;
                };
    }

    /// Returns the number of visits to blocks: a block is visited again only when more values are
    /// live at its end, and so at most once for each value.
    int steps() {
        return steps;
    }

    /// Returns the values that are live after an instruction.
    ///
    /// @param block a block of the kernel
    /// @param n index of the instruction in the block
    public ThreadValues after(BasicBlock block, int n) {
        return blocks.get(block.start()).after[n];
    }

    /// Returns the values that are live at the start of a block.
    public ThreadValues atStart(BasicBlock block) {
        return blocks.get(block.start()).atStart;
    }
}
