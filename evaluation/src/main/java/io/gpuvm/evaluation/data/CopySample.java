package io.gpuvm.evaluation.data;

/// Copy between pinned memory of the program and memory of the GPU.
///
/// @param configuration name of the configuration
/// @param direction [#IN] or [#OUT]
/// @param bytes length of the copy
/// @param round number of the round, from 0
/// @param ns duration until the program has seen the end of the copy, in nanoseconds
public record CopySample(String configuration, String direction, long bytes, int round, long ns) {
    /// Direction to the GPU.
    public static final String IN = "in";

    /// Direction from the GPU.
    public static final String OUT = "out";
}
