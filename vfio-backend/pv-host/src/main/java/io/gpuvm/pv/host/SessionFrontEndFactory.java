package io.gpuvm.pv.host;

/// Source of the front ends of a place's sessions.
@FunctionalInterface
public interface SessionFrontEndFactory {
    /// Creates the front end of a session that begins. Reception's thread; the front end may use
    /// the GPU only when the poller calls it.
    SessionFrontEnd open(FrontEndParts parts);
}
