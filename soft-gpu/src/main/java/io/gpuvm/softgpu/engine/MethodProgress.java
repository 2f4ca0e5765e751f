package io.gpuvm.softgpu.engine;

/// How far a method came.
public enum MethodProgress {
    /// Done.
    DONE,
    /// The operation that it started goes on: [ClassObject#resume()].
    UNFINISHED,
    /// Refused, and reported; the channel waits until the report is acknowledged, then the method
    /// is skipped.
    REFUSED,
    /// It takes too long; the channel is killed, and its engine shown as one that hangs.
    HUNG,
    /// The place where it would have to be reported holds another report; the channel waits, then
    /// tries the method, or to resume it, again.
    OCCUPIED
}
