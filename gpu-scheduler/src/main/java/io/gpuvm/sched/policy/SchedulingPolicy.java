package io.gpuvm.sched.policy;

/// Decides which virtual machine's command runs next on one engine.
///
/// A deterministic state machine: it has no clock, no thread, no GPU and no randomness. Only
/// [#attach] allocates. Virtual machines are identified by small, densely assigned numbers. Times
/// are in nanoseconds of one monotonic clock.
///
/// **Guarantees.** A decision follows from the past (all calls of the other methods, in their
/// order, with their times and the backlog at each) and from the time at which the decision is
/// requested. Earlier requests have no influence, nor whether the engine was free at them: [#next]
/// and [#nanosUntilDecision] change nothing that a later answer depends on. Effects of time take
/// place when they are due, not when the policy is queried. So a run with all events recorded can
/// be replayed, regardless of the queries between them. Adding a constant to all times changes
/// nothing.
///
/// The engine runs one command at a time. A command that has started and not completed when another
/// one starts is blocked on something else, and uses nothing.
public interface SchedulingPolicy {
    /// Result of [#next]: the engine waits.
    int NOBODY = -1;

    /// Result of [#nanosUntilDecision]: the answer changes only with an event.
    long NEVER = Long.MAX_VALUE;

    /// Adds a virtual machine with nothing queued. The state of an earlier one with this number is
    /// discarded.
    void attach(int vm, TimeShare share, long nowNs);

    /// Removes a virtual machine with everything that it had queued or running.
    void detach(int vm, long nowNs);

    /// Changes the share of a virtual machine from now on.
    void change(int vm, TimeShare share, long nowNs);

    /// Called when a command has been queued.
    void onArrival(int vm, long nowNs);

    /// Called when a queued command, not necessarily the first, has been withdrawn.
    void onWithdrawn(int vm, long nowNs);

    /// Chooses the virtual machine that runs next. Has no effect, even if called repeatedly.
    ///
    /// @return a virtual machine with a waiting command; [#NOBODY] if none has one, or if a wait is
    ///   better
    int next(long nowNs);

    /// Returns the time until the answer of [#next] may change without an event, after it was
    /// [#NOBODY].
    ///
    /// @return time in nanoseconds, or [#NEVER]
    long nanosUntilDecision(long nowNs);

    /// Called when the first command of a virtual machine has been taken from its queue and
    /// started; [#next] need not have chosen that virtual machine.
    void onStarted(int vm, long nowNs);

    /// Called when a started command has ended.
    ///
    /// @param usedNs engine time that it took, without the time in which it was blocked on others
    void onCompleted(int vm, long usedNs, long nowNs);

    /// Charges engine time that was used by a command queued for another engine.
    void onCharged(int vm, long usedNs, long nowNs);
}
