package io.gpuvm.bench.pocl;

import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.MatrixElement;
import io.gpuvm.workloads.WorkloadRun;
import io.gpuvm.workloads.Workloads;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Workloads with a version in OpenCL.
enum ComparedWorkload {
    MMUL(1024) {
        @Override
        WorkloadRun onPocl(PoclDevice device, int size, long seed) {
            return new PoclProduct(device, id(), MatrixElement.INTEGER, size, seed);
        }
    },
    FMMUL(1024) {
        @Override
        WorkloadRun onPocl(PoclDevice device, int size, long seed) {
            return new PoclProduct(device, id(), MatrixElement.FLOAT, size, seed);
        }
    },
    HOTSPOT(512) {
        @Override
        WorkloadRun onPocl(PoclDevice device, int size, long seed) {
            return new PoclHotspot(device, size, seed);
        }
    };

    private final int usualSize;

    ComparedWorkload(int usualSize) {
        this.usualSize = usualSize;
    }

    /// Returns the name on the command line.
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> ids() {
        return Arrays.stream(values()).map(ComparedWorkload::id).toList();
    }

    /// @throws IllegalArgumentException if there is no such workload; the message names all
    ///   workloads
    static ComparedWorkload of(String id) {
        return Arrays.stream(values())
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "workload=%s, expected one of %s"
                                        .formatted(id, String.join(", ", ids()))));
    }

    /// Returns the default number of rows and columns.
    int usualSize() {
        return usualSize;
    }

    /// @throws IllegalArgumentException if the workload does not support that size
    int check(int size) {
        return Workloads.named(id()).size().check(size);
    }

    /// Returns a new run on the software GPU. Size and seed determine its input.
    final WorkloadRun onGpu(GpuContext context, int size, long seed) {
        return Workloads.named(id()).prepare(context, size, seed);
    }

    /// Returns a new run on PoCL with the same input.
    abstract WorkloadRun onPocl(PoclDevice device, int size, long seed);

    /// Measures a run on the software GPU and a run on PoCL, both with the same input.
    final LaunchTimes measure(
            GpuContext context, PoclDevice device, int size, long seed, int warmups, int rounds) {
        try (WorkloadRun soft = onGpu(context, size, seed);
                WorkloadRun pocl = onPocl(device, size, seed)) {
            soft.initialize();
            pocl.initialize();
            return LaunchTimes.measure(soft, pocl, warmups, rounds);
        }
    }
}
