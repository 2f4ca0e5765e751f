package io.gpuvm.evaluation.data;

/// Copy between the program's memory and the GPU's.
///
/// @param configuration name of the configuration
/// @param direction [#IN] or [#OUT]
/// @param bytes length of the copy
/// @param round number of the round, from 0
/// @param ns duration until the program has seen its end, in nanoseconds
public record CopySample(String configuration, String direction, long bytes, int round, long ns) {
    /// Direction to the GPU.
    public static final String IN = "in";

    /// Direction from the GPU.
    public static final String OUT = "out";
}
