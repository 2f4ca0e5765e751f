package io.gpuvm.record;

/// How much a recording has.
public enum RecordLevel {
    /// What clients send, and the guest memory that the GPU is about to read: enough for a replay.
    MESSAGES,
    /// The same, and when commands were submitted, started and completed.
    COMMANDS
}
