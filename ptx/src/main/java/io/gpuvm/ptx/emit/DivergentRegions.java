package io.gpuvm.ptx.emit;

import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.Terminator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// Divergent regions of a function: the blocks between branches and the block at which their
/// threads join, or between a loop's header and the block at which its threads continue. Immutable
/// after [#of].
///
/// They are nested: a region contains each region that it intersects, and each whose join it
/// contains and enters. It follows that an edge of [MainFlow] leaves at most the innermost region
/// of its source, to the region's join. Other edges may leave several regions: they leave loops.
final class DivergentRegions {
    /// Blocks whose threads join at the same block.
    static final class Region {
        private final Block join;
        private Region parent;

        /// Region that was found last of those that contain this one; leads to the outermost.
        private Region outer;

        private int depth;
        private boolean isLeftFromWithin;
        private Opcode push = Opcode.SSY;

        private Region(Block join) {
            this.join = join;
            this.outer = this;
        }

        Block join() {
            return join;
        }

        /// Returns the region that contains this one, or null.
        Region parent() {
            return parent;
        }

        /// Returns the instruction that pushes the join.
        Opcode push() {
            return push;
        }

        /// Returns the instruction that makes threads wait at the join.
        Opcode arrival() {
            return switch (push) {
                case PBK -> Opcode.BRK;
                case PCNT -> Opcode.CONT;
                default -> Opcode.NOP;
            };
        }
    }

    private final Function function;
    private final List<Block> blocks;
    private final MainFlow flow;
    private final Region[] inner;
    private final Region[] byJoin;
    private final List<Region> all = new ArrayList<>();
    private final ArrayDeque<Block> work = new ArrayDeque<>();

    private DivergentRegions(Function function, MainFlow flow) {
        this.function = function;
        blocks = List.copyOf(function.blocks());
        this.flow = flow;
        inner = new Region[blocks.size()];
        byJoin = new Region[blocks.size()];
    }

    /// Returns the regions of a function, or null if threads would have to wait in more ways at
    /// once than the machine has.
    static DivergentRegions of(Function function, MainFlow flow) {
        DivergentRegions regions = new DivergentRegions(function, flow);
        regions.find();
        return regions.chooseWays() ? regions : null;
    }

    /// Returns the innermost region of a block, or null.
    Region of(Block block) {
        return inner[block.index()];
    }

    List<Region> all() {
        return all;
    }

    /// Returns the number of nested regions of the most deeply nested block.
    int depth() {
        return all.stream().mapToInt(region -> region.depth).max().orElse(0);
    }

    private void find() {
        TreeMap<Integer, List<Block>> starts =
                new TreeMap<>(
                        Comparator.comparingInt((Integer join) -> flow.depth(join))
                                .reversed()
                                .thenComparing(Comparator.naturalOrder()));
        for (Block block : blocks) {
            // The number of joins between that are passed is that of the blocks, at most.
            function.checkpoint();
            if (flow.next(block.index()).length > 1) {
                add(flow.join(block.index()), block, starts);
            }
            if (flow.isLoop(block.index())) {
                add(flow.loopJoin(block.index()), block, starts);
            }
        }
        starts.forEach(this::grow);
        // A region is found before those that contain it.
        for (Region region : all.reversed()) {
            region.depth = depth(region.parent) + 1;
        }
    }

    private void add(int postdominator, Block start, TreeMap<Integer, List<Block>> starts) {
        int join = postdominator;
        while (join != MainFlow.NONE && isPassed(join)) {
            join = flow.join(join);
        }
        if (join != MainFlow.NONE && !MainFlow.isEnd(blocks.get(join))) {
            starts.computeIfAbsent(join, _ -> new ArrayList<>()).add(start);
        }
    }

    /// Returns whether a block only leads to the next join: to wait at both is useless. The header
    /// of a loop is entered by threads of the loop, too.
    private boolean isPassed(int join) {
        Block block = blocks.get(join);
        return block.instructions().isEmpty()
                && block.phis().isEmpty()
                && block.terminator() instanceof Terminator.Jump(Block to)
                && flow.join(join) == to.index()
                && !flow.isLoop(to.index());
    }

    private void grow(int join, List<Block> starts) {
        function.checkpoint();
        Region region = new Region(blocks.get(join));
        all.add(region);
        byJoin[join] = region;
        starts.forEach(start -> enter(start, region));
        while (!work.isEmpty()) {
            for (int to : flow.next(work.poll().index())) {
                if (to != join) {
                    enter(blocks.get(to), region);
                    if (byJoin[to] != null) {
                        absorb(outermost(byJoin[to]), region);
                    }
                }
            }
        }
    }

    private void enter(Block block, Region region) {
        if (block == region.join || MainFlow.isEnd(block)) {
            return;
        }
        Region known = inner[block.index()];
        if (known == null) {
            inner[block.index()] = region;
            work.add(block);
        } else {
            absorb(outermost(known), region);
        }
    }

    private void absorb(Region part, Region region) {
        if (part != region) {
            part.parent = region;
            part.outer = region;
            enter(part.join, region);
        }
    }

    private static Region outermost(Region region) {
        Region at = region;
        while (at.outer != at) {
            at.outer = at.outer.outer;
            at = at.outer;
        }
        return at;
    }

    private static int depth(Region region) {
        return region == null ? 0 : region.depth;
    }

    /// Returns the region whose threads wait at the end of an edge, or null.
    Region arrivalOf(Block from, Block to) {
        Region wanted = byJoin[to.index()];
        if (wanted == null) {
            return null;
        }
        Region at = inner[from.index()];
        while (depth(at) > wanted.depth) {
            at = at.parent;
        }
        return at == wanted ? wanted : null;
    }

    /// Returns the innermost region of a block's threads after they have waited at the end of an
    /// edge.
    private Region rest(Block from, Block to) {
        Region arrival = arrivalOf(from, to);
        return arrival == null ? inner[from.index()] : arrival.parent;
    }

    private static Region common(Region one, Region other) {
        Region a = one;
        Region b = other;
        while (a != b) {
            if (depth(a) >= depth(b)) {
                a = a.parent;
            } else {
                b = b.parent;
            }
        }
        return a;
    }

    /// Returns the number of regions that an edge enters: the innermost of the block.
    int entered(Block from, Block to) {
        Region into = inner[to.index()];
        return depth(into) - depth(common(rest(from, to), into));
    }

    /// Chooses the instructions that push joins and wait there: threads that leave several regions
    /// at once need other instructions than SSY and NOP.S, which apply to the innermost region
    /// only.
    private boolean chooseWays() {
        for (Block from : blocks) {
            // The steps of an edge are as many as the regions that are nested.
            function.checkpoint();
            for (Block to : from.successors()) {
                Region left = leftFromWithin(from, to);
                if (left != null) {
                    left.isLeftFromWithin = true;
                }
            }
        }
        for (Region region : all.reversed()) {
            function.checkpoint();
            if (region.isLeftFromWithin) {
                region.push = wayAbove(region) == Opcode.PBK ? Opcode.PCNT : Opcode.PBK;
            }
        }
        for (Block from : blocks) {
            function.checkpoint();
            for (Block to : from.successors()) {
                if (!isClear(from, to)) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Returns the instruction of the innermost region around a region that is left from within, or
    /// null.
    private static Opcode wayAbove(Region region) {
        Region at = region.parent;
        while (at != null && !at.isLeftFromWithin) {
            at = at.parent;
        }
        return at == null ? null : at.push;
    }

    /// Returns the region whose threads later wait at its join, although they take an edge that
    /// leaves regions within it; null if there is none.
    private Region leftFromWithin(Block from, Block to) {
        if (MainFlow.isEnd(to) || flow.isEnding(to.index()) && !flow.isEnding(from.index())) {
            return null;
        }
        Region arrival = arrivalOf(from, to);
        if (arrival != null) {
            return arrival == inner[from.index()] ? null : arrival;
        }
        Region common = common(inner[from.index()], inner[to.index()]);
        return common == inner[from.index()] ? null : common;
    }

    /// Returns whether no region between has the same way of waiting as the region that is left. A
    /// thread that continues elsewhere first must not have left any region of such a kind.
    private boolean isClear(Block from, Block to) {
        Region left = leftFromWithin(from, to);
        if (left == null) {
            return true;
        }
        boolean arrives = arrivalOf(from, to) != null;
        for (Region at = inner[from.index()]; at != left; at = at.parent) {
            if (at.isLeftFromWithin && (!arrives || at.push == left.push)) {
                return false;
            }
        }
        return true;
    }
}
