package io.gpuvm.softgpu.engine;

/// Progress of a method.
public enum MethodProgress {
    /// Complete.
    DONE,
    /// Started an operation that continues in [ClassObject#resume()].
    UNFINISHED,
    /// Refused and reported; the channel waits until the report is acknowledged, then skips the
    /// method.
    REFUSED,
    /// Exceeded its time limit; the channel is killed, and its engine is reported as hung.
    HUNG,
    /// Blocked because another report occupies the registers for reports; the channel waits, then
    /// retries the method or its resumption.
    OCCUPIED
}
