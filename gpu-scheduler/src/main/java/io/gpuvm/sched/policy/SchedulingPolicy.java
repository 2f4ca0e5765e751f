package io.gpuvm.sched.policy;

/// Decides which virtual machine's command runs next on one engine.
///
/// A policy is a deterministic state machine without clock, thread, GPU or randomness. Only
/// [#attach] allocates. Virtual machines are identified by small, densely assigned numbers. Times
/// are in nanoseconds of one monotonic clock.
///
/// **Guarantees.** A decision follows from the past (all calls of the other methods, in order, with
/// their times and the backlog at each) and from the time at which the decision is requested.
/// Earlier queries do not affect it, whether the engine was free or not: [#next] and
/// [#nanosUntilDecision] change nothing on which a later result depends. Effects of time take place
/// when they are due, not when the policy is queried. A run can therefore be replayed from its
/// recorded events, regardless of the queries between them. Adding a constant to all times changes
/// no decision.
///
/// The engine runs one command at a time. A command that has started and not completed when another
/// command starts is blocked on something else, and uses no engine time.
public interface SchedulingPolicy {
    /// Result of [#next]: no virtual machine should run now.
    int NOBODY = -1;

    /// Result of [#nanosUntilDecision]: the result of [#next] changes only with an event.
    long NEVER = Long.MAX_VALUE;

    /// Adds a virtual machine without queued commands. The state of an earlier virtual machine with
    /// this number is discarded.
    void attach(int vm, TimeShare share, long nowNs);

    /// Removes a virtual machine with its queued and running commands.
    void detach(int vm, long nowNs);

    /// Changes the share of a virtual machine from now on.
    void change(int vm, TimeShare share, long nowNs);

    /// Called when a command has been queued.
    void onArrival(int vm, long nowNs);

    /// Called when a queued command, not necessarily the first, has been withdrawn.
    void onWithdrawn(int vm, long nowNs);

    /// Chooses the virtual machine that runs next. Has no side effects.
    ///
    /// @return a virtual machine with a waiting command; [#NOBODY] if no command waits, or if the
    ///   engine should wait
    int next(long nowNs);

    /// Returns the time until the result of [#next] may change without an event. Called after
    /// [#next] has returned [#NOBODY].
    ///
    /// @return time in nanoseconds, or [#NEVER]
    long nanosUntilDecision(long nowNs);

    /// Called when the first command of a virtual machine has been removed from the queue and
    /// started; [#next] need not have chosen that virtual machine.
    void onStarted(int vm, long nowNs);

    /// Called when a started command has ended.
    ///
    /// @param usedNs engine time that the command used, excluding the time in which it was blocked
    ///   on other engines
    void onCompleted(int vm, long usedNs, long nowNs);

    /// Charges engine time that was used by a command queued for another engine.
    void onCharged(int vm, long usedNs, long nowNs);
}
