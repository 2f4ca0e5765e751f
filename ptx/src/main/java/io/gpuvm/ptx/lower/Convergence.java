package io.gpuvm.ptx.lower;

import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Dominators;
import io.gpuvm.ptx.ir.Graph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// Finds the blocks that threads of a warp may execute one after the other although they execute
/// the same block: both ways of a branch lead to the block before they meet at the branch's
/// immediate postdominator, where the GPU makes threads continue together.
final class Convergence {
    /// Maximum number of visits of blocks, against functions with many branches; beyond it, every
    /// block counts as separated.
    private static final int MAX_VISITS = 4 << 20;

    /// Maximum number of ends of a kernel among which the main end is chosen.
    private static final int MAX_ENDS = 32;

    private final List<Block> blocks;
    private final int[][] successors;
    private int visits;

    private Convergence(Shape shape) {
        blocks = shape.function().blocks();
        successors = new int[blocks.size()][];
        BitSet ending = shape.function().isKernel() ? ending() : new BitSet();
        for (Block block : blocks) {
            successors[block.index()] =
                    block.successors().stream()
                            .mapToInt(Block::index)
                            .filter(to -> ending.get(block.index()) || !ending.get(to))
                            .toArray();
        }
    }

    /// Returns the blocks of a kernel from which threads can only end apart from its main end. The
    /// other threads do not wait for them.
    private BitSet ending() {
        BitSet main = new BitSet();
        BitSet all = new BitSet();
        int ends = 0;
        for (Block block : blocks) {
            if (block.successors().isEmpty() && ends++ < MAX_ENDS) {
                BitSet leading = leadingTo(block);
                all.or(leading);
                main = leading.cardinality() > main.cardinality() ? leading : main;
            }
        }
        all.andNot(main);
        return all;
    }

    private BitSet leadingTo(Block end) {
        BitSet leading = new BitSet(blocks.size());
        ArrayDeque<Block> work = new ArrayDeque<>();
        leading.set(end.index());
        work.add(end);
        while (!work.isEmpty()) {
            for (Block from : work.poll().predecessors()) {
                if (!leading.get(from.index())) {
                    leading.set(from.index());
                    work.add(from);
                }
            }
        }
        return leading;
    }

    /// Returns the indices of the separated blocks.
    static BitSet separated(Shape shape) {
        return new Convergence(shape).find();
    }

    private BitSet find() {
        BitSet separated = new BitSet(blocks.size());
        Dominators after = postdominators();
        for (int block = 0; block < successors.length; block++) {
            if (successors[block].length < 2) {
                continue;
            }
            int meeting = after.parent(block);
            BitSet both = reached(successors[block][0], meeting);
            both.and(reached(successors[block][1], meeting));
            separated.or(both);
            if (visits > MAX_VISITS) {
                separated.set(0, blocks.size());
                return separated;
            }
        }
        return separated;
    }

    private BitSet reached(int from, int end) {
        BitSet reached = new BitSet(blocks.size());
        ArrayDeque<Integer> work = new ArrayDeque<>();
        if (from != end) {
            reached.set(from);
            work.add(from);
        }
        while (!work.isEmpty() && visits <= MAX_VISITS) {
            visits++;
            for (int to : successors[work.poll()]) {
                if (to != end && !reached.get(to)) {
                    reached.set(to);
                    work.add(to);
                }
            }
        }
        return reached;
    }

    /// Returns the dominators of the reversed graph, whose root is an additional node for the end.
    /// A part of the graph that never ends is connected to the end.
    private Dominators postdominators() {
        int end = successors.length;
        List<List<Integer>> reversed = new ArrayList<>();
        for (int i = 0; i <= end; i++) {
            reversed.add(new ArrayList<>());
        }
        BitSet ends = new BitSet(end);
        for (int block = 0; block < end; block++) {
            for (int to : successors[block]) {
                reversed.get(to).add(block);
            }
        }
        for (int block = 0; block < end; block++) {
            if (successors[block].length == 0) {
                connect(block, reversed, ends);
            }
        }
        for (int block = end - 1; block >= 0; block--) {
            if (!ends.get(block)) {
                connect(block, reversed, ends);
            }
        }
        int[][] edges = new int[end + 1][];
        Arrays.setAll(edges, i -> reversed.get(i).stream().mapToInt(Integer::intValue).toArray());
        return Dominators.of(Graph.of(edges, end));
    }

    /// Makes a block an end, and records the blocks that lead there.
    private static void connect(int block, List<List<Integer>> reversed, BitSet ends) {
        reversed.getLast().add(block);
        ArrayDeque<Integer> work = new ArrayDeque<>();
        ends.set(block);
        work.add(block);
        while (!work.isEmpty()) {
            for (int from : reversed.get(work.poll())) {
                if (!ends.get(from)) {
                    ends.set(from);
                    work.add(from);
                }
            }
        }
    }
}
