package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Values that threads may write between an instruction that pushes an entry of the stack and the
/// entry's target.
final class DivergentRegion {
    private final StackFlow stack;

    /// Values that may be written between the start of a block and the point where a thread
    /// continues at an earlier entry of the stack, by start of the block.
    private final Map<Integer, ThreadValues> from = new HashMap<>();

    private final Map<Integer, List<Integer>> predecessors = new HashMap<>();
    private long steps;

    private DivergentRegion(StackFlow stack) {
        this.stack = stack;
    }

    static DivergentRegion of(StackFlow stack) {
        DivergentRegion region = new DivergentRegion(stack);
        region.stack.blocks().forEach(region::add);
        region.follow();
        return region;
    }

    /// Returns the written values, by number of the pushing instruction.
    List<ThreadValues> writes() {
        List<ThreadValues> writes = new ArrayList<>();
        stack.pushes().forEach(_ -> writes.add(ThreadValues.NONE));
        for (BasicBlock block : stack.blocks()) {
            ThreadValues after = afterwards(block);
            for (Instruction i : block.instructions().reversed()) {
                int push = stack.number(i);
                if (push >= 0) {
                    writes.set(push, after);
                    after = after.or(at(stack.pushes().get(push).target()));
                }
                after = after.or(Effects.of(i).writes());
            }
        }
        return writes;
    }

    /// Returns the number of visits to edges between blocks.
    long steps() {
        return steps;
    }

    private void add(BasicBlock block) {
        ThreadValues own = ThreadValues.NONE;
        for (Instruction i : block.instructions()) {
            own = own.or(Effects.of(i).writes());
            int push = stack.number(i);
            if (push >= 0) {
                precede(block, stack.pushes().get(push).target());
            }
        }
        from.put(block.start(), own);
        block.successors().forEach(next -> precede(block, next));
    }

    private void precede(BasicBlock block, int next) {
        predecessors.computeIfAbsent(next, _ -> new ArrayList<>()).add(block.start());
    }

    private void follow() {
        Deque<Integer> open = new ArrayDeque<>(from.keySet());
        Set<Integer> isOpen = new HashSet<>(open);
        while (!open.isEmpty()) {
            int start = open.pop();
            isOpen.remove(start);
            for (int before : predecessors.getOrDefault(start, List.of())) {
                steps++;
                ThreadValues writes = at(before).or(at(start));
                if (!writes.equals(from.put(before, writes)) && isOpen.add(before)) {
                    open.push(before);
                }
            }
        }
    }

    private ThreadValues afterwards(BasicBlock block) {
        ThreadValues writes = ThreadValues.NONE;
        for (int next : block.successors()) {
            writes = writes.or(at(next));
        }
        return writes;
    }

    private ThreadValues at(int start) {
        return from.getOrDefault(start, ThreadValues.NONE);
    }
}
