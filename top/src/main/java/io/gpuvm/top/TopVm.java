package io.gpuvm.top;

import java.util.List;

/// Virtual machine in one frame. Rates are per second of the last interval.
///
/// @param attachment number of its attachment, unique in its backend
/// @param capPercent cap; 100 for none, 0 if commands are not observed
/// @param entitlement part of each engine while all virtual machines want it, 0 to 1
/// @param share part of the last interval in which it used its busiest engine, 0 to 1
/// @param gpuTimeNs charged time of all engines since its attachment
/// @param queue commands that wait now
/// @param waitP50Ns median of the waits of the last intervals, or since its attachment if no
///   command started in them; 0 if none has started
/// @param waitP99Ns 99th percentile of these waits
/// @param state `running`, `capped`, `waiting`, `idle`, `no guest`; `-` if the backend has ended
/// @param history shares of the last intervals, the latest last
public record TopVm(
        String name,
        String mode,
        long attachment,
        long weight,
        long capPercent,
        double entitlement,
        double share,
        long gpuTimeNs,
        double commandsPerSecond,
        long queue,
        long waitP50Ns,
        long waitP99Ns,
        long vramUsedBytes,
        long vramLimitBytes,
        double trapsPerSecond,
        double entriesPerSecond,
        double refusalsPerSecond,
        long kills,
        long faults,
        long sessions,
        String state,
        List<Double> history) {}
