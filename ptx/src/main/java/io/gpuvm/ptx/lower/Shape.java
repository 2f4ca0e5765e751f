package io.gpuvm.ptx.lower;

import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxRegister;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Dominators;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.Graph;
import io.gpuvm.ptx.ir.Loops;
import io.gpuvm.ptx.ir.Terminator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Blocks of a function, without their instructions. A loop that is entered from several blocks has
/// a block before it, a loop that is repeated from several blocks has a block at its end, and an
/// edge from a block with several successors to one with several predecessors has a block of its
/// own.
final class Shape {
    /// Condition of a block's branch.
    sealed interface Condition {
        /// Value of a predicate.
        record Flag(PtxRegister register, boolean negated) implements Condition {}

        /// Comparison of an unsigned number with a bound.
        record Below(PtxOperand index, int bound) implements Condition {}

        /// Failure of the block's only instruction to acquire a lock, or to find the memory
        /// unchanged.
        record Unlocked() implements Condition {}
    }

    /// Instructions of a block.
    ///
    /// @param from index of the first instruction
    /// @param to index after the last instruction
    /// @param condition condition of the branch at the end, or null
    record Range(int from, int to, Condition condition) {}

    private static final Range EMPTY = new Range(0, 0, null);

    private final PtxFunction source;
    private final boolean hasShared;
    private final Function function;
    private final Map<Block, Range> ranges = new HashMap<>();
    private final Map<Integer, Block> starts = new HashMap<>();

    private Shape(PtxFunction source, boolean hasShared) {
        this.source = source;
        this.hasShared = hasShared;
        this.function = new Function(source.name(), source.header().kernel());
    }

    /// @param hasShared whether generic addresses may be addresses of shared memory
    static Shape of(PtxFunction source, boolean hasShared) {
        Shape shape = new Shape(source, hasShared);
        shape.build();
        shape.order();
        shape.enterLoops();
        shape.splitEdges();
        shape.order();
        return shape;
    }

    Function function() {
        return function;
    }

    Range range(Block block) {
        return ranges.getOrDefault(block, EMPTY);
    }

    private void build() {
        List<PtxInstruction> code = source.code();
        Block entry = function.addBlock();
        Set<Integer> leaders = leaders(code);
        for (int i = 0; i <= code.size(); i++) {
            if (leaders.contains(i)) {
                starts.put(i, function.addBlock());
            }
        }
        Function.end(entry, new Terminator.Jump(starts.get(0)));
        for (int i = 0; i < code.size(); ) {
            int to = i + 1;
            while (to < code.size() && !leaders.contains(to)) {
                to++;
            }
            end(starts.get(i), i, to);
            i = to;
        }
        Block last = starts.get(code.size());
        if (last != null) {
            Function.end(last, new Terminator.Return());
        }
        fixReturns();
    }

    /// Makes returns of a kernel ends of the thread.
    private void fixReturns() {
        if (function.isKernel()) {
            for (Block block : function.blocks()) {
                if (block.terminator() instanceof Terminator.Return) {
                    block.terminator(new Terminator.Exit());
                }
            }
        }
    }

    private Set<Integer> leaders(List<PtxInstruction> code) {
        Set<Integer> leaders = new HashSet<>();
        leaders.add(0);
        leaders.add(code.size());
        for (int i = 0; i < code.size(); i++) {
            PtxInstruction instruction = code.get(i);
            boolean alone = isSeparate(instruction);
            boolean traps = isTrap(instruction);
            if (alone) {
                leaders.add(i);
            }
            if (alone || traps || isEnd(instruction.opcode())) {
                leaders.add(i + 1);
            }
            for (PtxOperand operand : instruction.sources()) {
                switch (operand) {
                    case PtxOperand.Label label -> leaders.add(label.index());
                    case PtxOperand.Labels labels ->
                            labels.targets().forEach(label -> leaders.add(label.index()));
                    default -> {}
                }
            }
        }
        return leaders;
    }

    /// Returns whether an instruction ends every thread that reaches it.
    private static boolean isTrap(PtxInstruction instruction) {
        return instruction.opcode() == PtxOpcode.TRAP && instruction.guard() == null;
    }

    private static boolean isEnd(PtxOpcode opcode) {
        return switch (opcode) {
            case BRA, BRX, RET, EXIT -> true;
            default -> false;
        };
    }

    /// Returns whether an instruction needs a block of its own.
    boolean isSeparate(PtxInstruction instruction) {
        return isLocked(instruction) || instruction.guard() != null && !hasGuard(instruction);
    }

    /// Returns whether the machine instructions of an instruction may have a guard.
    private static boolean hasGuard(PtxInstruction instruction) {
        return instruction.opcode() != PtxOpcode.CALL && instruction.opcode() != PtxOpcode.BRKPT;
    }

    /// Returns whether an instruction repeats until it has acquired a lock, or has found the memory
    /// unchanged.
    boolean isLocked(PtxInstruction instruction) {
        return switch (instruction.opcode()) {
            case ATOM, RED -> {
                PtxSpace space = MemoryLowering.space(instruction);
                yield space == PtxSpace.SHARED
                        || space == PtxSpace.GENERIC && hasShared
                        || !AtomicLowering.isNative(instruction.operation());
            }
            default -> false;
        };
    }

    private void end(Block block, int from, int to) {
        PtxInstruction last = source.code().get(to - 1);
        Block next = starts.get(to);
        if (isSeparate(last)) {
            endAlone(block, last, from, to, next);
            return;
        }
        if (!isEnd(last.opcode())) {
            ranges.put(block, new Range(from, to, null));
            Function.end(block, isTrap(last) ? new Terminator.Exit() : new Terminator.Jump(next));
            return;
        }
        Condition condition =
                last.guard() == null
                        ? null
                        : new Condition.Flag(last.guard().register(), last.guard().negated());
        ranges.put(block, new Range(from, to - 1, condition));
        switch (last.opcode()) {
            case BRA -> finish(block, condition, target(last.sources().getFirst()), next);
            case BRX -> {
                Block tree = condition == null ? block : function.addBlock();
                if (condition != null) {
                    finish(block, condition, tree, next);
                }
                PtxOperand.Labels labels = (PtxOperand.Labels) last.sources().getLast();
                tree(tree, last.sources().getFirst(), labels.targets(), 0);
            }
            default -> {
                Terminator end =
                        last.opcode() == PtxOpcode.EXIT
                                ? new Terminator.Exit()
                                : new Terminator.Return();
                if (condition == null) {
                    Function.end(block, end);
                } else {
                    Block out = function.addBlock();
                    Function.end(out, end);
                    finish(block, condition, out, next);
                }
            }
        }
    }

    private void endAlone(Block block, PtxInstruction last, int from, int to, Block next) {
        Block inner = block;
        if (last.guard() != null) {
            inner = function.addBlock();
            Condition condition =
                    new Condition.Flag(last.guard().register(), last.guard().negated());
            ranges.put(block, new Range(from, from, condition));
            finish(block, condition, inner, next);
        }
        if (isLocked(last)) {
            ranges.put(inner, new Range(to - 1, to, new Condition.Unlocked()));
            Function.end(inner, new Terminator.Branch(null, true, inner, next));
        } else {
            ranges.put(inner, new Range(to - 1, to, null));
            Function.end(inner, new Terminator.Jump(next));
        }
    }

    private Block target(PtxOperand label) {
        return starts.get(((PtxOperand.Label) label).index());
    }

    private static void finish(Block block, Condition condition, Block taken, Block other) {
        if (condition == null || taken == other) {
            Function.end(block, new Terminator.Jump(taken));
        } else {
            boolean inverted = condition instanceof Condition.Flag(var _, boolean not) && not;
            Function.end(block, new Terminator.Branch(null, inverted, taken, other));
        }
    }

    /// Ends a block with a choice among targets, as a binary tree of branches.
    ///
    /// BRX would need a table in a constant bank of its own, which functions other than kernels do
    /// not have, and a target that code analysis does not know: the software GPU interprets what
    /// follows. The tree costs two instructions for each doubling of the number of targets.
    private void tree(Block block, PtxOperand index, List<PtxOperand.Label> targets, int first) {
        if (targets.size() == 1) {
            Function.end(block, new Terminator.Jump(target(targets.getFirst())));
            return;
        }
        int half = targets.size() / 2;
        Range range = range(block);
        Condition condition = new Condition.Below(index, first + half);
        ranges.put(block, new Range(range.from, range.to, condition));
        Block lower = function.addBlock();
        Block upper = function.addBlock();
        finish(block, condition, lower, upper);
        tree(lower, index, targets.subList(0, half), first);
        tree(upper, index, targets.subList(half, targets.size()), first + half);
    }

    /// Orders the blocks so that loops are contiguous, and drops unreachable blocks.
    private void order() {
        reorder(Graph.of(function));
        Graph graph = Graph.of(function);
        Loops loops = Loops.of(graph, Dominators.of(graph));
        int[][] successors = new int[graph.size()][];
        for (int node = 0; node < graph.size(); node++) {
            int from = node;
            List<Integer> next = new ArrayList<>();
            for (int to : graph.successors()[node]) {
                next.add(to);
            }
            next.sort(Comparator.comparing((Integer to) -> loops.contains(from, to)));
            successors[node] = next.stream().mapToInt(Integer::intValue).toArray();
        }
        reorder(Graph.of(successors, 0));
    }

    private void reorder(Graph graph) {
        List<Block> order = new ArrayList<>();
        for (int node : graph.order()) {
            order.add(function.blocks().get(node));
        }
        Set<Block> reached = new HashSet<>(order);
        order.forEach(block -> block.predecessors().removeIf(from -> !reached.contains(from)));
        function.order(order);
    }

    private void enterLoops() {
        Graph graph = Graph.of(function);
        Dominators dominators = Dominators.of(graph);
        Loops loops = Loops.of(graph, dominators);
        for (Block header : List.copyOf(function.blocks())) {
            if (!loops.isHeader(header.index())) {
                continue;
            }
            List<Block> outside = new ArrayList<>();
            List<Block> inside = new ArrayList<>();
            for (Block from : header.predecessors()) {
                boolean isBack =
                        from.index() < graph.size()
                                && dominators.dominates(header.index(), from.index());
                (isBack ? inside : outside).add(from);
            }
            Block start = separateInnerLoops(header, outside, inside, graph, dominators, loops);
            if (outside.size() > 1 || outside.getFirst().successors().size() > 1) {
                redirect(outside, start);
            }
            if (inside.size() > 1) {
                redirect(inside, start);
            }
        }
    }

    /// Gives loops that begin at one block, each within the next, a first block each. A loop is
    /// within another one if each of its exits leads to the rest of the other, and each iteration
    /// of the other ends it. Without blocks of their own, they were one loop, in which a thread
    /// that repeats the inner one, for instance until it has a lock, would wait for threads that
    /// continue.
    ///
    /// @param outside predecessors of the header outside the loops
    /// @param inside predecessors within the loops; then those of the outermost loop's first block
    /// @return first block of the outermost loop
    private Block separateInnerLoops(
            Block header,
            List<Block> outside,
            List<Block> inside,
            Graph graph,
            Dominators dominators,
            Loops loops) {
        // A block precedes those that it dominates.
        inside.sort(Comparator.comparingInt(Block::index));
        BitSet inner = new BitSet();
        inner.set(header.index());
        Block start = header;
        while (inside.size() > 1) {
            int end = inside.getFirst().index();
            boolean endsAll =
                    inside.stream().allMatch(from -> dominators.dominates(end, from.index()));
            if (!endsAll || !extend(inner, end, header.index(), graph, loops)) {
                break;
            }
            inside.removeFirst();
            List<Block> others = new ArrayList<>(outside);
            others.addAll(inside);
            start = redirect(others, start);
        }
        return start;
    }

    /// Adds the blocks from which threads reach the end of a loop to those of the loops within it.
    ///
    /// @return whether each exit of the loop leads to a block of the outermost loop
    private static boolean extend(BitSet inner, int end, int header, Graph graph, Loops loops) {
        Deque<Integer> work = new ArrayDeque<>();
        work.add(end);
        while (!work.isEmpty()) {
            int node = work.poll();
            if (inner.get(node) && node != header) {
                continue;
            }
            inner.set(node);
            for (int to : graph.successors()[node]) {
                if (!loops.contains(header, to)) {
                    return false;
                }
            }
            if (node != header) {
                for (int from : graph.predecessors()[node]) {
                    work.add(from);
                }
            }
        }
        return true;
    }

    /// Makes edges to a block lead to a new block before it, and returns that block.
    private Block redirect(List<Block> sources, Block to) {
        Block before = function.addBlock();
        for (Block from : sources) {
            from.terminator(from.terminator().with(to, before));
            to.predecessors().remove(from);
            before.predecessors().add(from);
        }
        Function.end(before, new Terminator.Jump(to));
        return before;
    }

    private void splitEdges() {
        for (Block to : List.copyOf(function.blocks())) {
            List<Block> predecessors = to.predecessors();
            for (int i = 0; i < predecessors.size() && predecessors.size() > 1; i++) {
                if (predecessors.get(i).successors().size() > 1) {
                    function.split(to, i);
                }
            }
        }
    }
}
