package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxOperand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Reconvergence points of a function: the immediate post-dominator of each instruction. The exit
/// of the function has the index that follows the last instruction.
final class FlowGraph {
    private final int exit;
    private final int[][] successors;
    private final int[] order;
    private final int[] postDominators;

    FlowGraph(PtxFunction function) {
        exit = function.code().size();
        successors = new int[exit][];
        List<List<Integer>> predecessors = new ArrayList<>();
        for (int i = 0; i <= exit; i++) {
            predecessors.add(new ArrayList<>());
        }
        for (int i = 0; i < exit; i++) {
            successors[i] = successors(function.code().get(i), i);
            for (int next : successors[i]) {
                predecessors.get(next).add(i);
            }
        }
        order = new int[exit + 1];
        Arrays.fill(order, -1);
        int[] visited = visitBackwards(predecessors);
        postDominators = new int[exit + 1];
        Arrays.fill(postDominators, -1);
        postDominators[exit] = exit;
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int node : visited) {
                changed |= node != exit && update(node);
            }
        }
    }

    /// Returns the instruction at which lanes that take different ways from an instruction meet, or
    /// the exit if there is none.
    int meetingPoint(int instruction) {
        int point = postDominators[instruction];
        return point < 0 ? exit : point;
    }

    private int[] successors(PtxInstruction instruction, int index) {
        List<Integer> next = new ArrayList<>();
        boolean falls = instruction.guard() != null;
        switch (instruction.opcode()) {
            case BRA -> next.add(((PtxOperand.Label) instruction.sources().getFirst()).index());
            case BRX ->
                    ((PtxOperand.Labels) instruction.sources().getLast())
                            .targets()
                            .forEach(label -> next.add(label.index()));
            case RET, EXIT, TRAP -> next.add(exit);
            default -> falls = true;
        }
        if (falls) {
            next.add(index + 1);
        }
        return next.stream().distinct().mapToInt(Integer::intValue).toArray();
    }

    /// Returns the nodes that reach the exit, in reverse postorder of the reversed graph.
    private int[] visitBackwards(List<List<Integer>> predecessors) {
        int[] finished = new int[exit + 1];
        int count = 0;
        int[] stack = new int[exit + 1];
        int[] next = new int[exit + 1];
        boolean[] seen = new boolean[exit + 1];
        int depth = 0;
        stack[depth++] = exit;
        seen[exit] = true;
        while (depth > 0) {
            int node = stack[depth - 1];
            if (next[node] < predecessors.get(node).size()) {
                int before = predecessors.get(node).get(next[node]++);
                if (!seen[before]) {
                    seen[before] = true;
                    stack[depth++] = before;
                }
            } else {
                finished[count++] = node;
                depth--;
            }
        }
        int[] visited = new int[count];
        for (int i = 0; i < count; i++) {
            visited[i] = finished[count - 1 - i];
            order[visited[i]] = i;
        }
        return visited;
    }

    private boolean update(int node) {
        int meeting = -1;
        for (int next : successors[node]) {
            if (postDominators[next] >= 0 || next == exit) {
                meeting = meeting < 0 ? next : meet(meeting, next);
            }
        }
        boolean changed = postDominators[node] != meeting;
        postDominators[node] = meeting;
        return changed;
    }

    private int meet(int a, int b) {
        int x = a;
        int y = b;
        while (x != y) {
            if (order[x] > order[y]) {
                x = postDominators[x];
            } else {
                y = postDominators[y];
            }
        }
        return x;
    }
}
