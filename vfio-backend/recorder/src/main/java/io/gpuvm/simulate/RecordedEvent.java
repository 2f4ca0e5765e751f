package io.gpuvm.simulate;

import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.policy.TimeShare;

/// What a scheduler was told, or told itself, during a recorded run.
///
/// Virtual machines are numbers of the recording, channels those of their guests. A channel has one
/// command at most that is queued or has started.
sealed interface RecordedEvent {
    /// When, from the first event.
    long timeNs();

    /// A virtual machine is entitled to something from now on.
    record Entitled(long timeNs, int vm, TimeShare share) implements RecordedEvent {}

    /// A policy decides from now on.
    record Governed(long timeNs, PolicyKind policy) implements RecordedEvent {}

    /// A command was queued.
    record Submitted(long timeNs, int vm, int channel, int engine) implements RecordedEvent {}

    /// A command that was queued is not there any more.
    record Withdrawn(long timeNs, int vm, int channel, int engine) implements RecordedEvent {}

    /// A command was chosen, and runs.
    record Started(long timeNs, int vm, int channel, int engine) implements RecordedEvent {}

    /// A command has ended.
    record Completed(long timeNs, int vm, int channel, int engine, long usedNs)
            implements RecordedEvent {}

    /// A virtual machine is charged for an engine that its command was not queued for.
    record Charged(long timeNs, int vm, int engine, long usedNs) implements RecordedEvent {}
}
