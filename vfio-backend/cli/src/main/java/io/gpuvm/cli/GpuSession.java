package io.gpuvm.cli;

import io.gpuvm.pv.runtime.GpuContext;
import java.util.Map;

/// A program's use of a GPU, whichever way leads there: one context, until it is closed.
///
/// Opened and closed by one thread.
interface GpuSession extends AutoCloseable {
    /// What figures call the way: `native`, `pv`.
    String way();

    /// The one context, which [#close()] closes.
    GpuContext context();

    /// What the GPU has counted, where that is to be had: counters by group and name. Any thread.
    Map<String, Map<String, Long>> counted();

    /// Ends at once whatever the GPU does for this program: the context's calls fail, those under
    /// way as well. Any thread.
    void abort();

    /// Waits for the work under way, and gives the GPU back.
    @Override
    void close();
}
