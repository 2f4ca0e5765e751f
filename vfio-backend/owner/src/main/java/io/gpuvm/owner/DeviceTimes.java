package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;

/// Working time of a GPU for each of its channels, by the GPU's own count. Any thread.
@FunctionalInterface
public interface DeviceTimes {
    /// Returns the working time of an engine for a channel, for all holders of the channel, in
    /// nanoseconds; exact while the channel is off its engine.
    ///
    /// @param channel number of a physical channel
    /// @param engine an engine that exists in hardware
    long ns(int channel, EngineId engine);
}
