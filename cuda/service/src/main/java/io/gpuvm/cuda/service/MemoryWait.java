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
        if ((known == releases.done() || areMany(context, releases))
                && context.hasPendingReleases(releases, position)) {
            return false;
        }
        known = releases.done();
        return true;
    }

    /// Returns whether so many releases are pending that the context may not allocate memory, whose
    /// release would be added to them.
    static boolean areMany(ExecutorContext context, Releases releases) {
        long pending = releases.requested() - releases.done();
        return pending + context.orderedReleases() > MOST_RELEASES;
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
