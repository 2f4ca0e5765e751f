package io.gpuvm.ptx.check;

import java.util.List;

/// Directives of a kernel that limit its launches and resources.
///
/// @param maxThreads `.maxntid`: maximum sizes of a block; empty if absent
/// @param requiredThreads `.reqntid`: sizes of a block; empty if absent
/// @param minBlocks `.minnctapersm`, or 0
/// @param maxRegisters `.maxnreg`, or 0
public record PtxLaunchBounds(
        List<Integer> maxThreads, List<Integer> requiredThreads, int minBlocks, int maxRegisters) {
    /// No limits.
    public static final PtxLaunchBounds NONE = new PtxLaunchBounds(List.of(), List.of(), 0, 0);

    public PtxLaunchBounds {
        maxThreads = List.copyOf(maxThreads);
        requiredThreads = List.copyOf(requiredThreads);
    }

    /// Returns the maximum number of threads of a block, or 0 if no directive limits it.
    public int threads() {
        List<Integer> sizes = requiredThreads.isEmpty() ? maxThreads : requiredThreads;
        return sizes.isEmpty() ? 0 : sizes.stream().reduce(1, Math::multiplyExact);
    }
}
