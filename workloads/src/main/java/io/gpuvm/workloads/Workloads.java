package io.gpuvm.workloads;

import java.util.List;
import java.util.stream.Collectors;

/// All workloads. Any thread.
public final class Workloads {
    private static final List<Workload> ALL =
            List.of(
                    new Loop(),
                    new MatrixWorkload("madd", MatrixElement.INTEGER, MatrixOperation.SUM),
                    new MatrixWorkload("mmul", MatrixElement.INTEGER, MatrixOperation.PRODUCT),
                    new MatrixWorkload("fmadd", MatrixElement.FLOAT, MatrixOperation.SUM),
                    new MatrixWorkload("fmmul", MatrixElement.FLOAT, MatrixOperation.PRODUCT),
                    new PageableCopy(),
                    new PinnedCopy(),
                    new Nop(),
                    new Spin(),
                    new BackPropagation(),
                    new BreadthFirstSearch(),
                    new Hotspot(),
                    new LuDecomposition(),
                    new NearestNeighbours(),
                    new NeedlemanWunsch(),
                    new Srad());

    private Workloads() {}

    /// All workloads, in the order in which they are listed.
    public static List<Workload> all() {
        return ALL;
    }

    /// @throws IllegalArgumentException if no workload has that name; the message lists all names
    public static Workload named(String name) {
        for (Workload workload : ALL) {
            if (workload.name().equals(name)) {
                return workload;
            }
        }
        throw new IllegalArgumentException("workload=" + name + ", expected " + names());
    }

    private static String names() {
        return ALL.stream().map(Workload::name).collect(Collectors.joining(" "));
    }
}
