package io.gpuvm.workloads;

import java.util.Arrays;
import java.util.SplittableRandom;

/// Directed graph: a node's neighbours have the indices from `starts[node]` to `starts[node + 1]`,
/// exclusive.
record Graph(int[] starts, int[] neighbours) {
    /// Average number of neighbours of a node; each node has at least 1, and less than twice the
    /// average.
    private static final int AVERAGE_NEIGHBOURS = 6;

    static Graph random(int nodes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] starts = new int[nodes + 1];
        for (int node = 0; node < nodes; node++) {
            starts[node + 1] = starts[node] + random.nextInt(1, 2 * AVERAGE_NEIGHBOURS);
        }
        int[] neighbours = new int[starts[nodes]];
        Arrays.setAll(neighbours, _ -> random.nextInt(nodes));
        return new Graph(starts, neighbours);
    }

    int nodes() {
        return starts.length - 1;
    }

    /// Returns the distances of all nodes from one node, in edges; -1 if no path leads to the node.
    /// A breadth-first search visits nodes in the order of their discovery.
    int[] distancesFrom(int source) {
        int[] distances = new int[nodes()];
        Arrays.fill(distances, -1);
        int[] queue = new int[nodes()];
        int found = 1;
        queue[0] = source;
        distances[source] = 0;
        for (int next = 0; next < found; next++) {
            int node = queue[next];
            for (int edge = starts[node]; edge < starts[node + 1]; edge++) {
                int neighbour = neighbours[edge];
                if (distances[neighbour] < 0) {
                    distances[neighbour] = distances[node] + 1;
                    queue[found++] = neighbour;
                }
            }
        }
        return distances;
    }
}
