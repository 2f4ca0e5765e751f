package io.gpuvm.sched.sim;

/// Source of the commands of a virtual machine. A source is deterministic and does not allocate.
/// Only one simulator uses a source, and calls it at the times that the source returns.
///
/// Commands arrive one after another: [#lengthNs] and [#engine] describe the next command, and are
/// called when it arrives.
public interface CommandSource {
    /// Value that is returned if no command arrives before another event.
    long NEVER = Long.MAX_VALUE;

    /// Returns the time of the first command, not before `nowNs`.
    long first(long nowNs);

    /// Returns the engine time of the next command, at least 0.
    long lengthNs();

    /// Returns the engine of the next command.
    int engine();

    /// Called when the next command has been queued.
    ///
    /// @return time of the following command, or [#NEVER]
    long onSubmitted(long nowNs);

    /// Called when a command of this source has ended.
    ///
    /// @return time of the next command, or [#NEVER]; replaces the previously returned time
    long onCompleted(long nowNs);
}
