package io.gpuvm.ptx.ir;

import java.util.Arrays;
import java.util.Comparator;

/// Dominator tree of a [Graph]. Immutable.
///
/// Source of the algorithm: K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm".
public final class Dominators {
    /// Parent of the root and of nodes that the root does not reach.
    public static final int NONE = -1;

    /// Number of steps after which the compiler compares its time to the limit.
    private static final int STEPS_OF_CHECK = 1 << 20;

    private final int[] order;
    private final int[] parents;
    private final int[] enter;
    private final int[] leave;
    private final int[] depths;
    private final int[][] children;

    private Dominators(int[] order, int[] parents, int root) {
        this.order = order;
        this.parents = parents;
        int[] counts = new int[parents.length];
        for (int node : order) {
            if (parents[node] != NONE) {
                counts[parents[node]]++;
            }
        }
        children = new int[parents.length][];
        Arrays.setAll(children, i -> new int[counts[i]]);
        for (int i = order.length - 1; i >= 0; i--) {
            if (parents[order[i]] != NONE) {
                children[parents[order[i]]][--counts[parents[order[i]]]] = order[i];
            }
        }
        enter = new int[parents.length];
        leave = new int[parents.length];
        depths = new int[parents.length];
        number(root);
    }

    public static Dominators of(Graph graph) {
        int[] order = graph.order();
        int[] position = new int[graph.size()];
        Arrays.fill(position, NONE);
        for (int i = 0; i < order.length; i++) {
            position[order[i]] = i;
        }
        int[] depths = new int[graph.size()];
        int[] parents = new int[graph.size()];
        Arrays.fill(parents, NONE);
        parents[graph.root()] = graph.root();
        Checkpoint checkpoint = Checkpoint.current();
        long steps = 0;
        for (boolean changed = true; changed; ) {
            changed = false;
            for (int node : order) {
                if (node == graph.root()) {
                    continue;
                }
                int best = NONE;
                for (int from : deepestFirst(graph.predecessors()[node], depths)) {
                    if (best == NONE) {
                        best = parents[from] == NONE ? NONE : from;
                    } else if (parents[from] != NONE) {
                        int both = common(from, best, parents, position);
                        steps += Math.abs(depths[from] + depths[best] - 2L * depths[both]);
                        best = both;
                    }
                }
                if (++steps >= STEPS_OF_CHECK) {
                    steps = 0;
                    checkpoint.pass();
                }
                if (parents[node] != best) {
                    parents[node] = best;
                    depths[node] = depths[best] + 1;
                    changed = true;
                }
            }
        }
        parents[graph.root()] = NONE;
        return new Dominators(order, parents, graph.root());
    }

    /// Returns the predecessors of a node, the deepest in the tree first: the search for the common
    /// dominator of many then only ascends, and takes linear time.
    private static int[] deepestFirst(int[] predecessors, int[] depths) {
        return predecessors.length <= 2
                ? predecessors
                : Arrays.stream(predecessors)
                        .boxed()
                        .sorted(Comparator.comparingInt(from -> -depths[from]))
                        .mapToInt(Integer::intValue)
                        .toArray();
    }

    private static int common(int one, int other, int[] parents, int[] position) {
        int a = one;
        int b = other;
        while (a != b) {
            while (position[a] > position[b]) {
                a = parents[a];
            }
            while (position[b] > position[a]) {
                b = parents[b];
            }
        }
        return a;
    }

    private void number(int root) {
        Arrays.fill(enter, NONE);
        int[] stack = new int[parents.length + 1];
        int[] next = new int[parents.length];
        int depth = 0;
        int clock = 0;
        stack[depth++] = root;
        enter[root] = clock++;
        while (depth > 0) {
            int node = stack[depth - 1];
            if (next[node] < children[node].length) {
                int child = children[node][next[node]++];
                depths[child] = depth;
                enter[child] = clock++;
                stack[depth++] = child;
            } else {
                leave[node] = clock;
                depth--;
            }
        }
    }

    /// Returns the nodes that the root reaches, in reverse postorder.
    public int[] order() {
        return order;
    }

    /// Returns the immediate dominator, or [#NONE].
    public int parent(int node) {
        return parents[node];
    }

    public int[] children(int node) {
        return children[node];
    }

    /// Returns the number of the node's dominators other than itself.
    public int depth(int node) {
        return depths[node];
    }

    public boolean reaches(int node) {
        return enter[node] != NONE;
    }

    /// Returns whether every path from the root to `below` contains `above`.
    public boolean dominates(int above, int below) {
        return enter[above] <= enter[below] && enter[below] < leave[above];
    }
}
