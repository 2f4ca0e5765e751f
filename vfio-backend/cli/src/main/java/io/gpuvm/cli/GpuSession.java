package io.gpuvm.cli;

import io.gpuvm.pv.runtime.GpuContext;
import java.util.Map;

/// A program's use of a GPU through any access: one context, which exists until the session is
/// closed.
///
/// Opened and closed by one thread.
interface GpuSession extends AutoCloseable {
    /// Returns the name of the access in figures: `native`, `pv` or `nouveau`.
    String access();

    /// Returns the only context, which [#close()] closes.
    GpuContext context();

    /// Returns the GPU's counters by group and name; empty if they are not available. Any thread.
    Map<String, Map<String, Long>> counted();

    /// Aborts all of this program's work on the GPU immediately: the context's calls fail,
    /// including those in flight. Any thread.
    void abort();

    /// Waits for the work in flight, and releases the GPU.
    @Override
    void close();
}
