package io.gpuvm.pv.protocol;

/// 64-bit results of [CommandOpcode#STATISTICS], in this order.
public enum Statistic {
    /// Commands that were executed or refused.
    COMMANDS,
    /// Commands that ended with a status other than [CommandStatus#OK].
    FAILED_COMMANDS,
    /// Bytes of VRAM that the guest has allocated.
    VRAM_BYTES,
    /// Handles in use.
    HANDLES,
    /// Existing address spaces.
    SPACES,
    /// Existing channels.
    CHANNELS,
    /// Mapped pages of either size.
    MAPPED_PAGES,
    /// Submissions to channels.
    SUBMISSIONS,
    /// GPU time of the guest's work, in nanoseconds.
    GPU_TIME_NS;

    /// Returns the offset in the host's output, in bytes.
    public int offset() {
        return ordinal() * Long.BYTES;
    }
}
