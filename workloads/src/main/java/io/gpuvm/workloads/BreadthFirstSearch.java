package io.gpuvm.workloads;

import static io.gpuvm.workloads.Blocks.row;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Distances of all nodes of a random graph from one node. Each step finds the nodes at one
/// distance; the search ends with a step that finds no new node. The result is verified exactly.
final class BreadthFirstSearch implements Workload {
    private static final int SOURCE = 0;
    private static final WorkloadSize SIZE = new WorkloadSize("nodes", 1, 1 << 17, 1 << 22);

    @Override
    public String name() {
        return "bfs";
    }

    @Override
    public String summary() {
        return "searches a random graph, breadth first: scattered memory, one word read per step";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, Graph.random(SIZE.check(size), seed));
    }

    private static final class Run extends KernelRun {
        private final Graph graph;
        private final int n;
        private final int[] distances;
        private final int[] more = new int[1];
        private DeviceMemory starts;
        private DeviceMemory neighbours;
        private DeviceMemory frontier;
        private DeviceMemory next;
        private DeviceMemory seen;
        private DeviceMemory deviceDistances;
        private DeviceMemory deviceMore;

        Run(GpuContext context, Graph graph) {
            super(context, "bfs");
            this.graph = graph;
            n = graph.nodes();
            distances = new int[n];
        }

        @Override
        void allocateMemory() {
            starts = allocateWords(graph.starts().length);
            neighbours = allocateWords(graph.neighbours().length);
            frontier = allocate(n);
            next = allocate(n);
            seen = allocate(n);
            deviceDistances = allocateWords(n);
            deviceMore = allocateWords(1);
        }

        @Override
        public void copyIn() {
            copyIn(starts, MemorySegment.ofArray(graph.starts()));
            copyIn(neighbours, MemorySegment.ofArray(graph.neighbours()));
            byte[] source = new byte[n];
            source[SOURCE] = 1;
            copyIn(frontier, MemorySegment.ofArray(source));
            copyIn(seen, MemorySegment.ofArray(source));
            zero(next);
            Arrays.fill(distances, -1);
            distances[SOURCE] = 0;
            copyIn(deviceDistances, MemorySegment.ofArray(distances));
            stream().synchronize();
        }

        @Override
        public void launch() {
            Arguments expand =
                    new Arguments()
                            .pointer(starts)
                            .pointer(neighbours)
                            .pointer(frontier)
                            .pointer(next)
                            .pointer(seen)
                            .pointer(deviceDistances)
                            .i32(n);
            Arguments advance =
                    new Arguments()
                            .pointer(frontier)
                            .pointer(next)
                            .pointer(seen)
                            .pointer(deviceMore)
                            .i32(n);
            more[0] = 1;
            // No node is n steps away, so the limit stops only wrong kernels, which find nodes in
            // every step.
            for (int step = 0; step < n && more[0] != 0; step++) {
                zero(deviceMore);
                run("expand", row(n), expand);
                run("advance", row(n), advance);
                fetch(MemorySegment.ofArray(more), deviceMore);
            }
        }

        @Override
        public void copyOut() {
            copyOut(result(), deviceDistances);
        }

        @Override
        MemorySegment result() {
            return MemorySegment.ofArray(distances);
        }

        @Override
        public void verify() {
            Results.requireEqual("distances", distances, graph.distancesFrom(SOURCE));
        }

        @Override
        public Work work() {
            return done(edgesSeen(), "edges");
        }

        /// Returns the number of edges of the reached nodes. Each edge was read once.
        private long edgesSeen() {
            long edges = 0;
            for (int node = 0; node < n; node++) {
                if (distances[node] >= 0) {
                    edges += graph.starts()[node + 1] - graph.starts()[node];
                }
            }
            return edges;
        }
    }
}
