package io.gpuvm.cuda.api.table;

/// Need of a function for the backend and for the GPU.
public enum CallClass {
    /// The library answers from its own state; nothing is sent.
    LOCAL,
    /// The call returns at once; a later call that waits returns its error.
    NO_REPLY,
    /// The call waits for the backend, but not for the GPU.
    REPLY,
    /// The call waits for the GPU.
    WAIT;

    /// Returns the word in the table, such as `no-reply`.
    public String word() {
        return TableWords.of(this);
    }

    /// Returns whether the caller receives results.
    public boolean hasReply() {
        return this == REPLY || this == WAIT;
    }
}
