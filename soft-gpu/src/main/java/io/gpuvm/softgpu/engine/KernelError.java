package io.gpuvm.softgpu.engine;

import io.gpuvm.softgpu.sm.Position;

/// A launch that ended before its time.
///
/// @param channel number of the channel
/// @param instanceAddress where the channel's instance block is
/// @param what the reason: what the page tables said, what was wrong with the instruction, or that
///   it took too long
/// @param position the instruction, block and thread; null if no block had begun
public record KernelError(int channel, long instanceAddress, String what, Position position) {
    @Override
    public String toString() {
        return "channel %d (instance %#x): %s%s"
                .formatted(
                        channel, instanceAddress, what, position == null ? "" : " at " + position);
    }
}
