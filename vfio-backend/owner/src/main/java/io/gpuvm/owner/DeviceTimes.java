package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;

/// How long a GPU has worked for each of its channels, by its own count. Any thread.
@FunctionalInterface
public interface DeviceTimes {
    /// Nanoseconds so far, whoever had the channel: exact while the channel is off its engine.
    ///
    /// @param channel a physical one
    /// @param engine one that exists in hardware
    long ns(int channel, EngineId engine);
}
