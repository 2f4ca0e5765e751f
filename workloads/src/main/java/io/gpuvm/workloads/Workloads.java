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
                    Nop.nop(),
                    Nop.delay(),
                    new Spin(),
                    Mix.usual(),
                    new BackPropagation(),
                    new BreadthFirstSearch(),
                    new Hotspot(),
                    new LuDecomposition(),
                    new NearestNeighbours(),
                    new NeedlemanWunsch(),
                    new Srad(),
                    new Srad2(),
                    new HeartWall());

    private Workloads() {}

    /// Returns all workloads, in the order in which they are listed.
    public static List<Workload> all() {
        return ALL;
    }

    /// Returns the workload with the given name: one of [#all()], or `mix` with parameters, for
    /// instance `mix:share=30,transfer=65536`.
    ///
    /// @throws IllegalArgumentException if no workload has that name, or a parameter is invalid;
    ///   the message lists all names, or names the limits
    public static Workload named(String name) {
        if (Mix.hasParameters(name)) {
            return Mix.parse(name);
        }
        for (Workload workload : ALL) {
            if (workload.name().equals(name)) {
                return workload;
            }
        }
        throw new IllegalArgumentException("workload=" + name + ", expected one of " + names());
    }

    private static String names() {
        return ALL.stream().map(Workload::name).collect(Collectors.joining(", "));
    }
}
