package io.gpuvm.sched.sim;

/// Where commands of a virtual machine come from. Deterministic, and does not allocate. Used by one
/// simulator only, which asks at the moments that it names.
///
/// One after the other: [#lengthNs] and [#engine] are about the command that comes next, and are
/// asked when its time has come.
public interface CommandSource {
    /// No more commands, as long as nothing happens.
    long NEVER = Long.MAX_VALUE;

    /// When the first command comes, at or after now.
    long first(long nowNs);

    /// How long the next command will use its engine; 0 or more.
    long lengthNs();

    /// The engine of the next command.
    int engine();

    /// The next command was queued.
    ///
    /// @return when the one after it comes, or [#NEVER]
    long onSubmitted(long nowNs);

    /// A command of this source has ended.
    ///
    /// @return when the next one comes, or [#NEVER]; takes the place of what was said before
    long onCompleted(long nowNs);
}
