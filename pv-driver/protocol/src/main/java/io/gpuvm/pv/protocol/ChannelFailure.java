package io.gpuvm.pv.protocol;

/// What went wrong on a channel.
///
/// @param what the kind of error
/// @param message one line: what the GPU reported, with addresses
public record ChannelFailure(Kind what, String message) {
    /// Kinds of errors.
    public enum Kind {
        /// An access to an address at which nothing is, or not with that right.
        MEMORY_FAULT,
        /// A kernel executed what it must not.
        INSTRUCTION,
        /// A method got data that it does not take.
        METHOD,
        /// The work took longer than is allowed.
        TIMEOUT,
        /// The GPU, or the way to it, is gone.
        LOST
    }
}
