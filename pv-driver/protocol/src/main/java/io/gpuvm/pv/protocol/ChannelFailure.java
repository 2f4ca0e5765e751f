package io.gpuvm.pv.protocol;

import io.gpuvm.gf100.device.KernelPosition;

/// Failure of a channel.
///
/// @param what kind of error
/// @param message the GPU's report in one line, with addresses
/// @param position position of the kernel that failed; null if the GPU has not reported it, as
///   hardware never does
public record ChannelFailure(Kind what, String message, KernelPosition position) {
    /// Kinds of errors.
    public enum Kind {
        /// Access to an unmapped address, or access without permission.
        MEMORY_FAULT,
        /// Instruction of a kernel that a multiprocessor could not execute.
        INSTRUCTION,
        /// Ring entry or method that a PBDMA or an engine refused.
        METHOD,
        /// Work that exceeded its time limit.
        TIMEOUT,
        /// Loss of the GPU, or of the connection to it.
        LOST
    }

    /// Creates a failure without a position.
    public ChannelFailure(Kind what, String message) {
        this(what, message, null);
    }

    /// Returns this failure with a position.
    ///
    /// @param known position of the kernel that failed, or null
    public ChannelFailure at(KernelPosition known) {
        return new ChannelFailure(what, message, known);
    }
}
