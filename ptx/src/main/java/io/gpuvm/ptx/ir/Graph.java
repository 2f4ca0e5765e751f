package io.gpuvm.ptx.ir;

import java.util.Arrays;
import java.util.List;

/// Flow graph of blocks by index, with edges in both directions.
///
/// @param successors successors by node
/// @param predecessors predecessors by node
/// @param root node from which all others are reached
public record Graph(int[][] successors, int[][] predecessors, int root) {
    /// Returns the graph of a function's blocks.
    public static Graph of(Function function) {
        List<Block> blocks = function.blocks();
        int[][] successors = new int[blocks.size()][];
        for (Block block : blocks) {
            successors[block.index()] =
                    block.successors().stream().mapToInt(Block::index).toArray();
        }
        return of(successors, 0);
    }

    public static Graph of(int[][] successors, int root) {
        int[] counts = new int[successors.length];
        for (int[] list : successors) {
            for (int to : list) {
                counts[to]++;
            }
        }
        int[][] predecessors = new int[successors.length][];
        Arrays.setAll(predecessors, i -> new int[counts[i]]);
        for (int from = successors.length - 1; from >= 0; from--) {
            for (int to : successors[from]) {
                predecessors[to][--counts[to]] = from;
            }
        }
        return new Graph(successors, predecessors, root);
    }

    public int size() {
        return successors.length;
    }

    /// Returns the nodes that the root reaches, in reverse postorder: each node precedes its
    /// successors, except on back edges. Of two successors, the last comes first.
    public int[] order() {
        int[] order = new int[size()];
        int at = size();
        boolean[] seen = new boolean[size()];
        int[] stack = new int[size() + 1];
        int[] next = new int[size()];
        int depth = 0;
        stack[depth++] = root;
        seen[root] = true;
        while (depth > 0) {
            int node = stack[depth - 1];
            if (next[node] < successors[node].length) {
                int to = successors[node][next[node]++];
                if (!seen[to]) {
                    seen[to] = true;
                    stack[depth++] = to;
                }
            } else {
                order[--at] = node;
                depth--;
            }
        }
        return Arrays.copyOfRange(order, at, order.length);
    }
}
