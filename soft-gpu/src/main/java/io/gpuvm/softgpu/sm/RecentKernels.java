package io.gpuvm.softgpu.sm;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/// Recently used kernels, limited by their total number of instructions. Not thread-safe.
final class RecentKernels {
    /// Minimum weight of a kernel, in instructions: a class has a fixed cost.
    static final int LEAST_WEIGHT = 64;

    private final int most;
    private final Set<Kernel> kernels = new HashSet<>();
    private int weight;

    /// @param most maximum total number of instructions, at least the size of any kernel
    RecentKernels(int most) {
        this.most = most;
    }

    /// Adds a kernel, and drops the least recently used kernels if necessary.
    void add(Kernel kernel) {
        if (kernels.add(kernel)) {
            kernel.kept(true);
            weight += weight(kernel);
        }
        while (weight > most) {
            remove(kernels.stream().min(Comparator.comparingLong(Kernel::lastUse)).orElseThrow());
        }
    }

    void remove(Kernel kernel) {
        if (kernels.remove(kernel)) {
            kernel.kept(false);
            weight -= weight(kernel);
        }
    }

    private static int weight(Kernel kernel) {
        return Math.max(LEAST_WEIGHT, kernel.content().instructions());
    }
}
