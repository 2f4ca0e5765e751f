package io.gpuvm.pv.protocol;

/// What [CommandOpcode#STATISTICS] tells, in this order: numbers of 64 bits.
public enum Statistic {
    /// Commands that were carried out, or refused.
    COMMANDS,
    /// Commands that did not end with [CommandStatus#OK].
    FAILED_COMMANDS,
    /// Bytes of VRAM that the guest has.
    VRAM_BYTES,
    /// Handles that the guest has.
    HANDLES,
    /// Address spaces that the guest has.
    SPACES,
    /// Channels that the guest has.
    CHANNELS,
    /// Pages that are mapped, of either size.
    MAPPED_PAGES,
    /// Submissions to channels.
    SUBMISSIONS,
    /// Time that the guest's work took on the GPU, in nanoseconds.
    GPU_TIME_NS;

    /// Where it is in what the host writes.
    public int offset() {
        return ordinal() * Long.BYTES;
    }
}
