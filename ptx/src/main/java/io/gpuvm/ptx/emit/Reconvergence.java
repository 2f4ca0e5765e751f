package io.gpuvm.ptx.emit;

import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Dominators;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.Graph;
import io.gpuvm.ptx.ir.Instruction;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Terminator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Makes the threads of a warp that a branch has separated continue together at the branch's
/// immediate postdominator.
///
/// The blocks between the branches with the same postdominator and the postdominator are a region.
/// Each edge into a region pushes the postdominator to the divergence stack (SSY), and on each edge
/// from the region to the postdominator, threads wait for the others (`.S`). A region contains each
/// region that it intersects, and each whose postdominator it enters, so regions are nested. Blocks
/// that only end the thread are not successors: threads that have ended do not count.
public final class Reconvergence {
    private final Function function;
    private final List<Block> blocks;
    private final Dominators after;

    /// Regions of a block, innermost first; each by its postdominator.
    private final List<List<Block>> regions = new ArrayList<>();

    private Reconvergence(Function function) {
        this.function = function;
        this.blocks = List.copyOf(function.blocks());
        this.after = postdominators();
        blocks.forEach(_ -> regions.add(new ArrayList<>(2)));
    }

    /// Adds the instructions that push, and sets [Block#join()].
    public static void apply(Function function) {
        Reconvergence pass = new Reconvergence(function);
        pass.findRegions();
        if (pass.isConsistent()) {
            pass.insert();
        }
    }

    /// Returns whether a block only ends the thread.
    static boolean isEnd(Block block) {
        return block.instructions().isEmpty()
                && block.phis().isEmpty()
                && !(block.terminator() instanceof Terminator.Jump)
                && !(block.terminator() instanceof Terminator.Branch);
    }

    private static List<Block> next(Block block) {
        List<Block> all = block.successors();
        if (all.size() < 2) {
            return all;
        }
        List<Block> some = all.stream().filter(one -> !isEnd(one)).toList();
        return some.isEmpty() ? List.of(all.getFirst()) : some;
    }

    /// Returns the dominators of the reversed graph, whose root is an additional node for the end.
    /// A part of the graph that never ends is connected to the end.
    private Dominators postdominators() {
        int end = blocks.size();
        int[][] reversed = new int[end + 1][];
        List<List<Integer>> from = new ArrayList<>();
        for (int i = 0; i <= end; i++) {
            from.add(new ArrayList<>());
        }
        boolean[] reached = new boolean[end];
        ArrayDeque<Block> work = new ArrayDeque<>();
        for (Block block : blocks) {
            List<Block> next = next(block);
            next.forEach(to -> from.get(to.index()).add(block.index()));
            if (next.isEmpty()) {
                from.get(end).add(block.index());
                reach(block, reached, work);
            }
        }
        spread(from, reached, work);
        for (int i = end - 1; i >= 0; i--) {
            if (!reached[i]) {
                from.get(end).add(i);
                reach(blocks.get(i), reached, work);
                spread(from, reached, work);
            }
        }
        for (int i = 0; i <= end; i++) {
            reversed[i] = from.get(i).stream().mapToInt(Integer::intValue).toArray();
        }
        return Dominators.of(Graph.of(reversed, end));
    }

    private static void reach(Block block, boolean[] reached, ArrayDeque<Block> work) {
        reached[block.index()] = true;
        work.add(block);
    }

    private void spread(List<List<Integer>> from, boolean[] reached, ArrayDeque<Block> work) {
        while (!work.isEmpty()) {
            for (int index : from.get(work.poll().index())) {
                if (!reached[index]) {
                    reach(blocks.get(index), reached, work);
                }
            }
        }
    }

    private void findRegions() {
        Map<Block, List<Block>> branches = new LinkedHashMap<>();
        for (Block block : blocks) {
            int parent = after.parent(block.index());
            if (next(block).size() > 1 && parent != Dominators.NONE && parent < blocks.size()) {
                Block join = blocks.get(parent);
                if (!isEnd(join)) {
                    branches.computeIfAbsent(join, _ -> new ArrayList<>()).add(block);
                }
            }
        }
        List<Block> joins = new ArrayList<>(branches.keySet());
        joins.sort(Comparator.comparingInt((Block join) -> after.depth(join.index())).reversed());
        Map<Block, List<Block>> members = new LinkedHashMap<>();
        for (Block join : joins) {
            function.checkpoint();
            members.put(join, region(join, branches.get(join), members));
        }
    }

    private List<Block> region(Block join, List<Block> branches, Map<Block, List<Block>> members) {
        List<Block> found = new ArrayList<>();
        branches.forEach(branch -> enter(branch, join, found));
        for (int i = 0; i < found.size(); i++) {
            Block block = found.get(i);
            for (Block to : next(block)) {
                enter(to, join, found);
                // Otherwise, some edges to the block would enter this region, and others not.
                if (to != join) {
                    members.getOrDefault(to, List.of())
                            .forEach(member -> enter(member, join, found));
                }
            }
            List<Block> inner = regions.get(block.index());
            for (int k = 0; k < inner.size() - 1; k++) {
                members.get(inner.get(k)).forEach(member -> enter(member, join, found));
            }
        }
        return found;
    }

    private void enter(Block block, Block join, List<Block> found) {
        List<Block> inside = regions.get(block.index());
        if (block != join && !isEnd(block) && (inside.isEmpty() || inside.getLast() != join)) {
            inside.add(join);
            found.add(block);
        }
    }

    /// Returns whether each edge leaves at most the innermost region of a block, to its
    /// postdominator.
    private boolean isConsistent() {
        for (Block block : blocks) {
            for (Block to : next(block)) {
                if (isEnd(to)) {
                    continue;
                }
                List<Block> before = regions.get(block.index());
                List<Block> then = regions.get(to.index());
                boolean leaves = !before.isEmpty() && before.getFirst() == to;
                List<Block> rest = leaves ? before.subList(1, before.size()) : before;
                int more = then.size() - rest.size();
                if (more < 0 || !then.subList(more, then.size()).equals(rest)) {
                    return false;
                }
                if (leaves && more > 0 && !isEntered(to, more)) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Returns whether every edge to a block enters the same number of regions.
    private boolean isEntered(Block block, int count) {
        for (Block from : block.predecessors()) {
            if (entered(from, block) != count) {
                return false;
            }
        }
        return true;
    }

    private int entered(Block from, Block to) {
        List<Block> before = regions.get(from.index());
        boolean leaves = !before.isEmpty() && before.getFirst() == to;
        return regions.get(to.index()).size() - before.size() + (leaves ? 1 : 0);
    }

    private void insert() {
        for (Block block : blocks) {
            List<Block> inside = regions.get(block.index());
            block.join(inside.isEmpty() ? null : inside.getFirst());
        }
        for (Block block : blocks) {
            List<Block> inside = regions.get(block.index());
            if (block == function.entry()) {
                push(block, 0, inside);
                continue;
            }
            if (isEnd(block)) {
                continue;
            }
            int count = entered(block.predecessors().getFirst(), block);
            if (isEntered(block, count)) {
                push(block, 0, inside.subList(0, count));
                continue;
            }
            for (Block from : List.copyOf(block.predecessors())) {
                int more = entered(from, block);
                if (more > 0) {
                    Block at = from;
                    if (from.successors().size() > 1) {
                        at = function.split(from, block);
                        at.join(from.join());
                    }
                    push(at, at.instructions().size(), inside.subList(0, more));
                    at.join(block.join());
                }
            }
        }
    }

    /// Inserts pushes, the outermost region first.
    private static void push(Block block, int at, List<Block> joins) {
        for (Block join : joins) {
            List<Instruction> code = block.instructions();
            code.add(at, Instruction.of(Opcode.SSY, Modifiers.NONE).target(join));
        }
    }
}
