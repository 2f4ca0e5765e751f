package io.gpuvm.sched.policy;

/// Decides whose command runs next on one engine.
///
/// A deterministic state machine: it has no clock, no thread, no GPU and no randomness. Nothing but
/// [#attach] allocates. Virtual machines are small numbers, given out densely. Times are
/// nanoseconds of one clock that never runs backwards.
///
/// **What is guaranteed.** A decision follows from what happened before (all that the other methods
/// are told, in that order, with those times, and what was waiting then) and from the time at which
/// it is asked for. It does not matter who asked before, when, or how often, nor whether the engine
/// was free then: [#next] and [#nanosUntilDecision] change nothing that a later answer depends on.
/// What time alone changes, it changes when it is due, not when somebody looks. So a run of which
/// all events are recorded can be played again, whatever asks there were between them. Moving all
/// times by as much changes nothing.
///
/// The engine runs one command at a time. A command that was started and has not completed when
/// another one is started waits for something else, and uses nothing.
public interface SchedulingPolicy {
    /// Answer of [#next]: let the engine wait.
    int NOBODY = -1;

    /// Answer of [#nanosUntilDecision]: nothing changes until something happens.
    long NEVER = Long.MAX_VALUE;

    /// A virtual machine is there, with nothing queued. Forgets whoever had its number before.
    void attach(int vm, TimeShare share, long nowNs);

    /// It has gone, with everything that it had queued or running.
    void detach(int vm, long nowNs);

    /// It is entitled to something else from now on.
    void change(int vm, TimeShare share, long nowNs);

    /// A command was queued.
    void onArrival(int vm, long nowNs);

    /// A command that was queued, not necessarily the first, is not there any more.
    void onWithdrawn(int vm, long nowNs);

    /// Chooses. Has no effect; any number of calls is as good as one.
    ///
    /// @return one that has a command waiting; or [#NOBODY], if none has, or if it is better to
    ///   wait
    int next(long nowNs);

    /// How long it takes until [#next] may answer otherwise by itself, after it has answered
    /// [#NOBODY].
    ///
    /// @return nanoseconds, or [#NEVER]
    long nanosUntilDecision(long nowNs);

    /// The first command of a virtual machine was taken from its queue and started. It need not be
    /// the one that was chosen.
    void onStarted(int vm, long nowNs);

    /// A command that was started has ended.
    ///
    /// @param usedNs engine time that it took, without what it spent waiting for others
    void onCompleted(int vm, long usedNs, long nowNs);

    /// Engine time was used by a command that was queued for another engine.
    void onCharged(int vm, long usedNs, long nowNs);
}
