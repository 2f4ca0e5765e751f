package io.gpuvm.sched.sim;

/// Source of the commands of a virtual machine. Deterministic, and does not allocate. Used by one
/// simulator only, which calls it at the times that it returns.
///
/// Commands arrive one after another: [#lengthNs] and [#engine] describe the next command, and are
/// called at its time.
public interface CommandSource {
    /// No further command without an event.
    long NEVER = Long.MAX_VALUE;

    /// Returns the time of the first command, at or after now.
    long first(long nowNs);

    /// Returns the engine time of the next command, at least 0.
    long lengthNs();

    /// Returns the engine of the next command.
    int engine();

    /// Called when the next command has been queued.
    ///
    /// @return time of the command after it, or [#NEVER]
    long onSubmitted(long nowNs);

    /// Called when a command of this source has ended.
    ///
    /// @return time of the next command, or [#NEVER]; replaces the earlier answer
    long onCompleted(long nowNs);
}
