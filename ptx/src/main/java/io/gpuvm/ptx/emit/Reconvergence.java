package io.gpuvm.ptx.emit;

import io.gpuvm.ptx.emit.DivergentRegions.Region;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.Modifiers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Makes the threads of a warp that a branch has separated continue together at the branch's
/// immediate postdominator in [MainFlow], and the threads of a loop after the loop.
///
/// Each edge into a [Region] pushes its join to the divergence stack, and on each edge to the join,
/// threads wait for the others. SSY and `.S` suffice if threads wait in the innermost region only.
/// Threads that leave a loop within a region of an iteration, as `break` in a condition does, need
/// PBK and BRK, which apply to the innermost loop at any depth; around another loop with PBK, PCNT
/// and CONT serve the same purpose. Code that needs more ways at once has joins that take each edge
/// into account, and therefore follow later.
public final class Reconvergence {
    /// Maximum number of nested regions: entries of the divergence stack are scarce.
    static final int MAX_DEPTH = 512;

    private final Function function;
    private final MainFlow flow;
    private final DivergentRegions regions;
    private final Map<Block, List<Block>> splits = new HashMap<>();

    private Reconvergence(Function function, MainFlow flow, DivergentRegions regions) {
        this.function = function;
        this.flow = flow;
        this.regions = regions;
    }

    /// Adds the instructions that push, and sets the joins of all blocks.
    ///
    /// @return number of nested regions
    /// @throws NestingException if too many regions are nested
    public static int apply(Function function) {
        MainFlow flow = new MainFlow(function, true);
        DivergentRegions regions = DivergentRegions.of(function, flow);
        if (regions == null) {
            flow = new MainFlow(function, false);
            regions = DivergentRegions.of(function, flow);
            if (regions == null) {
                throw new IllegalStateException("regions that are not nested: " + function.name());
            }
        }
        int depth = regions.depth();
        if (depth > MAX_DEPTH) {
            throw new NestingException(depth, MAX_DEPTH);
        }
        new Reconvergence(function, flow, regions).insert();
        return depth;
    }

    private void insert() {
        for (Region region : regions.all()) {
            region.join().makeJoin(joinOf(region.parent()), region.arrival());
        }
        List<Block> blocks = List.copyOf(function.blocks());
        for (Block block : blocks) {
            block.join(joinOf(regions.of(block)));
            chooseFirst(block);
        }
        for (Block block : blocks) {
            function.checkpoint();
            if (block == function.entry()) {
                push(block, 0, chain(block));
            } else if (!MainFlow.isEnd(block)) {
                enter(block);
            }
        }
        if (!splits.isEmpty()) {
            placeSplits(blocks);
        }
    }

    private static Block joinOf(Region region) {
        return region == null ? null : region.join();
    }

    /// Lets threads that leave a loop, or end, execute before those that remain: the remaining
    /// threads may wait for a lock that the others hold, and would push an entry for the others in
    /// each iteration.
    private void chooseFirst(Block block) {
        List<Block> successors = block.successors();
        if (successors.size() != 2) {
            return;
        }
        boolean one = flow.leaves(block.index(), successors.getFirst().index());
        boolean other = flow.leaves(block.index(), successors.getLast().index());
        if (one != other) {
            block.first(one ? successors.getFirst() : successors.getLast());
        }
    }

    /// Returns the regions of a block, innermost first.
    private List<Region> chain(Block block) {
        List<Region> chain = new ArrayList<>();
        for (Region at = regions.of(block); at != null; at = at.parent()) {
            chain.add(at);
        }
        return chain;
    }

    /// Pushes the joins of regions that start at a block: at its start those that every edge
    /// enters, others on the edges.
    private void enter(Block block) {
        List<Block> predecessors = List.copyOf(block.predecessors());
        int[] entered =
                predecessors.stream().mapToInt(from -> regions.entered(from, block)).toArray();
        int least = Integer.MAX_VALUE;
        for (int count : entered) {
            least = Math.min(least, count);
        }
        List<Region> chain = chain(block);
        push(block, 0, chain.subList(0, least));
        for (int i = 0; i < entered.length; i++) {
            if (entered[i] == least) {
                continue;
            }
            Block from = predecessors.get(i);
            if (regions.arrivalOf(from, block) != null) {
                throw new IllegalStateException("region entered by threads that wait: " + block);
            }
            Block at = from;
            if (from.successors().size() > 1) {
                at = function.split(from, block);
                splits.computeIfAbsent(from, _ -> new ArrayList<>()).add(at);
                if (from.first() == block) {
                    from.first(at);
                }
            }
            push(at, at.instructions().size(), chain.subList(least, entered[i]));
            at.join(chain.get(least).join());
        }
    }

    /// Inserts pushes, the outermost region first.
    private static void push(Block block, int at, List<Region> entered) {
        for (Region region : entered) {
            IrInstruction push = IrInstruction.of(region.push(), Modifiers.NONE);
            block.instructions().add(at, push.target(region.join()));
        }
    }

    /// Moves the blocks on split edges behind the sources of the edges.
    private void placeSplits(List<Block> blocks) {
        List<Block> order = new ArrayList<>();
        for (Block block : blocks) {
            order.add(block);
            order.addAll(splits.getOrDefault(block, List.of()));
        }
        function.order(order);
    }
}
