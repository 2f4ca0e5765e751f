package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GraphTest {
    @Test
    void givenGraph_whenSearched_thenDistancesEqualShortestPaths() {
        // 0 -> 1, 3; 1 -> 2; 2 -> 3; 3 -> 0; 4 -> 0; no edge leads to 4
        Graph graph = new Graph(new int[] {0, 2, 3, 4, 5, 6}, new int[] {1, 3, 2, 3, 0, 0});

        assertArrayEquals(new int[] {0, 1, 2, 1, -1}, graph.distancesFrom(0));
        assertArrayEquals(new int[] {2, 3, 0, 1, -1}, graph.distancesFrom(2));
    }

    @Test
    void givenSeed_whenGraphIsGeneratedTwice_thenGraphsAreEqual() {
        Graph graph = Graph.random(1000, 7);

        assertArrayEquals(Graph.random(1000, 7).neighbours(), graph.neighbours());
        assertEquals(1000, graph.nodes());
        assertEquals(graph.neighbours().length, graph.starts()[1000]);
        for (int node = 0; node < 1000; node++) {
            assertTrue(graph.starts()[node] < graph.starts()[node + 1], "node=" + node);
        }
    }
}
