package io.gpuvm.top;

import java.util.List;

/// Engine of a GPU in one frame.
///
/// @param utilization part of the last interval in which the engine was used, 0 to 1
/// @param holder virtual machine whose command has the engine; null if it is free
/// @param runningNs time for which the command has used the engine, in nanoseconds
/// @param history utilizations of the last intervals, the latest last
public record TopEngine(
        String name, double utilization, String holder, long runningNs, List<Double> history) {}
