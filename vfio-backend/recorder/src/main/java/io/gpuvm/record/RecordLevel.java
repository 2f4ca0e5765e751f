package io.gpuvm.record;

/// Level of detail of a recording.
public enum RecordLevel {
    /// Messages of clients, and the guest memory that the GPU is about to read: enough for a
    /// replay.
    MESSAGES,
    /// [#MESSAGES], and the times at which commands were submitted, started and completed.
    COMMANDS
}
