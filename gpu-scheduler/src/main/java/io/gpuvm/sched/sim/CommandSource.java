package io.gpuvm.sched.sim;

/// Source of the commands of a virtual machine. A source is deterministic and does not allocate. It
/// is used by one simulator only, which calls it at the times that it returns.
///
/// Commands arrive one after another: [#lengthNs] and [#engine] describe the next command, and are
/// called at its time.
public interface CommandSource {
    /// Time of the next command if there is none before another event.
    long NEVER = Long.MAX_VALUE;

    /// Returns the time of the first command, not before `nowNs`.
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
    /// @return time of the next command, or [#NEVER]; replaces the time that was returned before
    long onCompleted(long nowNs);
}
