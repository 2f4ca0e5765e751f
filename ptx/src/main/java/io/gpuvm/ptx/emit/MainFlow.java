package io.gpuvm.ptx.emit;

import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Dominators;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.Graph;
import io.gpuvm.ptx.ir.Loops;
import io.gpuvm.ptx.ir.Terminator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Flow of those threads of a function that the others of their warp wait for. Immutable.
///
/// It differs from the function's graph in two ways. An edge to blocks from which a thread can only
/// end is not an edge: threads that have ended do not count. And a loop is left at its end only: an
/// edge that leaves the loop is not an edge, and an edge back to the loop's header leads to all
/// blocks outside at which threads continue after the loop. Therefore, threads of an iteration join
/// although some of them may leave the loop in between.
final class MainFlow {
    /// Node that is none.
    static final int NONE = Dominators.NONE;

    /// Maximum number of ends of the function among which the main end is chosen.
    private static final int MOST_ENDS = 32;

    private final List<Block> blocks;
    private final Graph graph;
    private final Dominators dominators;
    private final Loops loops;
    private final BitSet ending;

    /// Blocks outside a loop at which threads continue after it, by header.
    private final List<Set<Integer>> exits = new ArrayList<>();

    private final int[][] next;
    private final Dominators after;

    /// @param waitsInLoops whether loops are left at their ends only
    MainFlow(Function function, boolean waitsInLoops) {
        blocks = List.copyOf(function.blocks());
        graph = Graph.of(function);
        dominators = Dominators.of(graph);
        loops = Loops.of(graph, dominators);
        ending = findEnding();
        next = new int[blocks.size()][];
        for (int block = 0; block < next.length; block++) {
            next[block] = counting(block);
            exits.add(null);
        }
        if (waitsInLoops) {
            leaveLoopsAtEnds(function);
        }
        after = postdominators();
    }

    /// Returns whether a block only ends the thread.
    static boolean isEnd(Block block) {
        return block.instructions().isEmpty()
                && block.phis().isEmpty()
                && !(block.terminator() instanceof Terminator.Jump)
                && !(block.terminator() instanceof Terminator.Branch);
    }

    /// Returns the indices of a block's successors in this flow.
    int[] next(int block) {
        return next[block];
    }

    /// Returns the block at which all threads that execute a block continue later, or [#NONE].
    int join(int block) {
        int parent = after.parent(block);
        return parent < 0 || parent >= blocks.size() ? NONE : parent;
    }

    /// Returns the block at which all threads of a loop continue later, or [#NONE].
    ///
    /// @param header block that is the header of a loop
    int loopJoin(int header) {
        int join = NONE;
        for (int exit : exits.get(header)) {
            join = join == NONE ? exit : common(join, exit);
        }
        return join >= blocks.size() ? NONE : join;
    }

    private int common(int one, int other) {
        int a = one;
        int b = other;
        while (a != b) {
            if (after.depth(a) >= after.depth(b)) {
                a = after.parent(a);
            } else {
                b = after.parent(b);
            }
        }
        return a;
    }

    /// Returns the number of joins that follow a block.
    int depth(int block) {
        return after.depth(block);
    }

    /// Returns whether a block is the header of a loop that is left at its end only.
    boolean isLoop(int block) {
        return exits.get(block) != null;
    }

    /// Returns whether a thread can only end after a block, unlike the threads that the others wait
    /// for.
    boolean isEnding(int block) {
        return ending.get(block);
    }

    /// Returns whether threads that take an edge leave the others, which may continue for long:
    /// they end, or have left a loop.
    boolean leaves(int from, int to) {
        return ending.get(to) && !ending.get(from) || !loops.contains(from, to);
    }

    private BitSet findEnding() {
        List<Integer> ends = new ArrayList<>();
        for (Block block : blocks) {
            if (block.successors().isEmpty()) {
                ends.add(block.index());
            }
        }
        BitSet best = null;
        // An end that more blocks reach is more likely the one that most threads reach.
        for (int end : ends.subList(Math.max(0, ends.size() - MOST_ENDS), ends.size())) {
            BitSet reaching = reaching(end);
            if (best == null || reaching.cardinality() >= best.cardinality()) {
                best = reaching;
            }
        }
        if (best == null) {
            return new BitSet();
        }
        best.flip(0, blocks.size());
        return best;
    }

    private BitSet reaching(int end) {
        BitSet found = new BitSet(blocks.size());
        ArrayDeque<Integer> work = new ArrayDeque<>();
        found.set(end);
        work.add(end);
        while (!work.isEmpty()) {
            for (int from : graph.predecessors()[work.poll()]) {
                if (!found.get(from)) {
                    found.set(from);
                    work.add(from);
                }
            }
        }
        return found;
    }

    /// Returns the successors without those at which a thread only ends.
    private int[] counting(int block) {
        int[] all = graph.successors()[block];
        int[] some = all;
        if (!ending.get(block)) {
            some = Arrays.stream(all).filter(to -> !ending.get(to)).toArray();
        }
        if (some.length < 2) {
            return some;
        }
        int[] rest = Arrays.stream(some).filter(to -> !isEnd(blocks.get(to))).toArray();
        return rest.length == 0 ? new int[] {some[0]} : rest;
    }

    private void leaveLoopsAtEnds(Function function) {
        for (int header = 0; header < next.length; header++) {
            if (loops.isHeader(header)) {
                exits.set(header, new LinkedHashSet<>());
            }
        }
        for (int from = 0; from < next.length; from++) {
            for (int to : next[from]) {
                int left = outermostLeft(from, to);
                if (left != NONE) {
                    exits.get(left).add(to);
                }
            }
            function.checkpoint();
        }
        long edges = 0;
        for (int from = 0; from < next.length; from++) {
            Set<Integer> fresh = new LinkedHashSet<>();
            for (int to : next[from]) {
                if (loops.isHeader(to) && dominators.dominates(to, from)) {
                    fresh.addAll(exits.get(to));
                } else if (loops.contains(from, to)) {
                    fresh.add(to);
                }
            }
            next[from] = fresh.stream().mapToInt(Integer::intValue).toArray();
            edges += next[from].length;
            function.reserve(edges * Function.BYTES_OF_ENTRY);
        }
    }

    /// Returns the header of the outermost loop that an edge leaves, or [#NONE].
    private int outermostLeft(int from, int to) {
        int left = NONE;
        for (int at = loops.header(from); at != NONE; at = loops.outer(at)) {
            if (loops.contains(at, to)) {
                return left;
            }
            left = at;
        }
        return left;
    }

    /// Returns the dominators of the reversed graph, whose root is an additional node for the end.
    /// A part of the graph that never ends is connected to the end.
    private Dominators postdominators() {
        int end = blocks.size();
        List<List<Integer>> from = new ArrayList<>();
        for (int i = 0; i <= end; i++) {
            from.add(new ArrayList<>());
        }
        BitSet reached = new BitSet();
        ArrayDeque<Integer> work = new ArrayDeque<>();
        for (int block = 0; block < end; block++) {
            for (int to : next[block]) {
                from.get(to).add(block);
            }
            if (next[block].length == 0) {
                from.get(end).add(block);
                reached.set(block);
                work.add(block);
            }
        }
        spread(from, reached, work);
        for (int block = end - 1; block >= 0; block--) {
            if (!reached.get(block)) {
                from.get(end).add(block);
                reached.set(block);
                work.add(block);
                spread(from, reached, work);
            }
        }
        int[][] reversed = new int[end + 1][];
        for (int i = 0; i <= end; i++) {
            reversed[i] = from.get(i).stream().mapToInt(Integer::intValue).toArray();
        }
        return Dominators.of(Graph.of(reversed, end));
    }

    private static void spread(List<List<Integer>> from, BitSet reached, ArrayDeque<Integer> work) {
        while (!work.isEmpty()) {
            for (int index : from.get(work.poll())) {
                if (!reached.get(index)) {
                    reached.set(index);
                    work.add(index);
                }
            }
        }
    }
}
