package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuError;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.Releases;

/// Wait of an allocation for the release of memory by earlier work: limits attempts to the times at
/// which memory has been released.
///
/// An operation does not wait for releases that follow it, because those wait for the operation.
final class MemoryWait {
    /// Position of a wait that is no operation, and of an operation that is not pending: all
    /// releases precede it.
    static final long AFTER_ALL = Long.MAX_VALUE;

    private static final long NEVER = -1;

    /// Maximum number of pending releases of a context, each of which needs memory of this process.
    private static final long MOST_RELEASES = 1 << 14;

    /// Number of releases before the last attempt.
    private long known = NEVER;

    /// Returns whether an attempt may succeed, and begins the attempt.
    ///
    /// @param position position of the operation, or [#AFTER_ALL]
    boolean mayTry(ExecutorContext context, long position) {
        Releases releases = context.releases();
        boolean repeated =
                known == releases.done() && context.hasPendingReleases(releases, position);
        if (repeated || mustWait(context, releases, position)) {
            return false;
        }
        known = releases.done();
        return true;
    }

    /// Returns whether an allocation has to wait, because so many releases are pending that its own
    /// release must not be added to them.
    ///
    /// @param position position of the operation, or [#AFTER_ALL]
    static boolean mustWait(ExecutorContext context, Releases releases, long position) {
        long pending = releases.requested() - releases.done() + context.orderedReleases();
        return pending > MOST_RELEASES && context.hasPendingReleases(releases, position);
    }

    /// Returns whether a failed attempt may succeed later.
    ///
    /// @param position position of the operation, or [#AFTER_ALL]
    boolean mayRetry(ExecutorContext context, GpuException failure, long position) {
        if (failure.error() != GpuError.OUT_OF_MEMORY) {
            return false;
        }
        Releases releases = context.releases();
        return releases.done() != known || context.hasPendingReleases(releases, position);
    }
}
