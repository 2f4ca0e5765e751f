package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.protocol.KernelReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/// Reports about failed kernels of a session until its client takes them. Confined to the poller.
final class PendingReports {
    /// Maximum number of reports, each of at most [KernelReport#MAX_BYTES] bytes: more than one
    /// failure causes. A client that takes none loses further reports.
    private static final int MOST = 128;

    private final Deque<KernelReport> reports = new ArrayDeque<>();

    void add(KernelReport report) {
        if (reports.size() < MOST) {
            reports.addLast(report);
        }
    }

    /// Moves as many reports as fit to the client, the oldest first.
    ///
    /// @param target memory for at least one report
    /// @return number of bytes written, 0 if there is no report
    long take(MemorySegment target) {
        long at = 0;
        while (!reports.isEmpty() && reports.getFirst().bytes() <= target.byteSize() - at) {
            at += reports.removeFirst().write(target.asSlice(at));
        }
        return at;
    }
}
