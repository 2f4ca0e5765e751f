package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;

/// Time for which a GPU has worked for each of its channels, as counted by the GPU. Any thread.
@FunctionalInterface
public interface DeviceTimes {
    /// Returns the time, in nanoseconds, for which an engine has worked for a channel, including
    /// the channel's former holders. Exact while the channel is off its engine.
    ///
    /// @param channel number of a physical channel
    /// @param engine an engine that exists in hardware
    long ns(int channel, EngineId engine);
}
