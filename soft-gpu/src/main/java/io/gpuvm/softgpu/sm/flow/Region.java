package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What threads may write between an instruction that pushes an entry of the stack and the place
/// where the entry leads.
final class Region {
    private final StackFlow stack;

    /// By start of a block: what is written from there on until an entry is taken that was there
    /// before.
    private final Map<Integer, ThreadValues> from = new HashMap<>();

    private Region(StackFlow stack) {
        this.stack = stack;
    }

    /// What is written, by number of the instruction that pushes.
    static List<ThreadValues> writes(StackFlow stack) {
        Region region = new Region(stack);
        region.follow();
        List<ThreadValues> writes = new ArrayList<>();
        stack.pushes().forEach(_ -> writes.add(ThreadValues.NONE));
        for (BasicBlock block : stack.blocks()) {
            ThreadValues after = region.afterwards(block);
            for (Instruction i : block.instructions().reversed()) {
                int push = stack.number(i);
                if (push >= 0) {
                    writes.set(push, after);
                    after = after.or(region.at(stack.pushes().get(push).target()));
                }
                after = after.or(Effects.of(i).writes());
            }
        }
        return writes;
    }

    private void follow() {
        Map<Integer, List<BasicBlock>> predecessors = new HashMap<>();
        Map<Integer, ThreadValues> own = new HashMap<>();
        Deque<BasicBlock> open = new ArrayDeque<>();
        for (BasicBlock block : stack.blocks()) {
            ThreadValues writes = ThreadValues.NONE;
            for (Instruction i : block.instructions()) {
                writes = writes.or(Effects.of(i).writes());
                int push = stack.number(i);
                if (push >= 0) {
                    int target = stack.pushes().get(push).target();
                    predecessors.computeIfAbsent(target, _ -> new ArrayList<>()).add(block);
                }
            }
            own.put(block.start(), writes);
            for (int next : block.successors()) {
                predecessors.computeIfAbsent(next, _ -> new ArrayList<>()).add(block);
            }
            open.push(block);
        }
        while (!open.isEmpty()) {
            BasicBlock block = open.pop();
            ThreadValues writes = own.get(block.start()).or(afterwards(block));
            for (Instruction i : block.instructions()) {
                int push = stack.number(i);
                if (push >= 0) {
                    writes = writes.or(at(stack.pushes().get(push).target()));
                }
            }
            if (!writes.equals(from.put(block.start(), writes))) {
                open.addAll(predecessors.getOrDefault(block.start(), List.of()));
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
