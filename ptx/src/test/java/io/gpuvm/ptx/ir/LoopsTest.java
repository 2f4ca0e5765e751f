package io.gpuvm.ptx.ir;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests of loops against their definition: a loop has a header, to which nodes that it dominates
/// lead back, and all nodes that lead to these without the header.
class LoopsTest {
    private static final long SEED = 7;
    private static final int GRAPHS = 2000;
    private static final int MOST_NODES = 14;

    /// Returns the nodes of the loop with a header; none if it is not a header.
    private static BitSet loop(Graph graph, Dominators dominators, int header) {
        BitSet loop = new BitSet();
        ArrayDeque<Integer> work = new ArrayDeque<>();
        for (int from : graph.predecessors()[header]) {
            if (dominators.reaches(from) && dominators.dominates(header, from)) {
                loop.set(header);
                work.add(from);
            }
        }
        while (!work.isEmpty()) {
            int node = work.poll();
            if (!loop.get(node)) {
                loop.set(node);
                for (int from : graph.predecessors()[node]) {
                    if (dominators.reaches(from)) {
                        work.add(from);
                    }
                }
            }
        }
        return loop;
    }

    private static void check(Graph graph, String message) {
        Dominators dominators = Dominators.of(graph);
        Loops loops = Loops.of(graph, dominators);
        BitSet[] all = new BitSet[graph.size()];
        Arrays.setAll(
                all,
                node -> dominators.reaches(node) ? loop(graph, dominators, node) : new BitSet());
        for (int node : dominators.order()) {
            int depth = 0;
            int innermost = Loops.NONE;
            for (int header = 0; header < all.length; header++) {
                if (all[header].get(node)) {
                    depth++;
                    boolean isInner =
                            innermost == Loops.NONE
                                    || all[header].cardinality() < all[innermost].cardinality();
                    innermost = isInner ? header : innermost;
                }
            }
            assertEquals(depth, loops.depth(node), message);
            assertEquals(innermost, loops.header(node), message);
            assertEquals(all[node].get(node), loops.isHeader(node), message);
            for (int other : dominators.order()) {
                boolean contains = innermost == Loops.NONE || all[innermost].get(other);
                assertEquals(contains, loops.contains(node, other), message);
            }
        }
    }

    @Test
    void givenRandomGraphs_whenLoopsAreFound_thenTheyAreThoseOfDefinition() {
        Random random = new Random(SEED);
        for (int i = 0; i < GRAPHS; i++) {
            int[][] successors = new int[2 + random.nextInt(MOST_NODES - 1)][];
            for (int node = 0; node < successors.length; node++) {
                successors[node] =
                        random.ints(random.nextInt(3), 0, successors.length).distinct().toArray();
            }
            check(Graph.of(successors, 0), Arrays.deepToString(successors));
        }
    }

    @Test
    void givenNestedLoops_whenLoopsAreFound_thenDepthsAreThoseOfNesting() {
        final int depth = 3000;
        int[][] successors = new int[2 * depth][];
        for (int i = 0; i < depth; i++) {
            successors[i] = new int[] {i + 1};
            int end = 2 * depth - 1 - i;
            successors[end] = end + 1 < 2 * depth ? new int[] {i, end + 1} : new int[] {i};
        }

        Graph graph = Graph.of(successors, 0);
        Loops loops = Loops.of(graph, Dominators.of(graph));

        for (int i = 0; i < depth; i++) {
            assertEquals(i + 1, loops.depth(i));
            assertEquals(i + 1, loops.depth(2 * depth - 1 - i));
        }
    }
}
