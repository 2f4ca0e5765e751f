package io.gpuvm.simulate;

import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.policy.TimeShare;

/// Input or decision of a scheduler during a recorded run.
///
/// `vm` is a virtual machine's number in the recording, `session` the number of one of its
/// sessions, `channel` the guest's number of a channel. A channel has at most one command that is
/// queued or has started.
sealed interface RecordedEvent {
    /// Returns the time since the first event, in nanoseconds.
    long timeNs();

    /// New time share of a virtual machine.
    record Entitled(long timeNs, int vm, TimeShare share) implements RecordedEvent {}

    /// New scheduling policy.
    record Governed(long timeNs, PolicyKind policy) implements RecordedEvent {}

    /// Submission of a command, which is now queued.
    record Submitted(long timeNs, int vm, int session, int channel, int engine)
            implements RecordedEvent {}

    /// Removal of a queued command.
    record Withdrawn(long timeNs, int vm, int channel, int engine) implements RecordedEvent {}

    /// Start of a command that the scheduler has chosen.
    record Started(long timeNs, int vm, int channel, int engine) implements RecordedEvent {}

    /// End of a command.
    record Completed(long timeNs, int vm, int channel, int engine, long usedNs)
            implements RecordedEvent {}

    /// Charge of a virtual machine before the end of a command.
    record Charged(long timeNs, int vm, int engine, long usedNs) implements RecordedEvent {}
}
