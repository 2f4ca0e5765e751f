package io.gpuvm.pv.protocol;

/// Failure of a channel.
///
/// @param what kind of error
/// @param message the GPU's report in one line, with addresses
public record ChannelFailure(Kind what, String message) {
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
}
