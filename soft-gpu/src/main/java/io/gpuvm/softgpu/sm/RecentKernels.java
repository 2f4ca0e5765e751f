package io.gpuvm.softgpu.sm;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/// Kernels that are kept because they have been used lately, up to a number of instructions
/// altogether. Not thread-safe.
final class RecentKernels {
    /// What a kernel counts for at the least, in instructions: a class has its cost however small
    /// it is.
    static final int LEAST_WEIGHT = 64;

    private final int most;
    private final Set<Kernel> kernels = new HashSet<>();
    private int weight;

    /// @param most how many instructions, at least as many as any kernel has
    RecentKernels(int most) {
        this.most = most;
    }

    /// Keeps a kernel, and in its stead those no longer that have not been used for the longest
    /// time.
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
