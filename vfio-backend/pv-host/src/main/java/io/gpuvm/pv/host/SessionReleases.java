package io.gpuvm.pv.host;

import java.util.ArrayDeque;

/// Releases of a session's memory, each of which waits until the GPU has flushed the mappings of
/// the memory from its TLBs. Confined to the poller.
final class SessionReleases {
    private static final long UNASKED = Long.MAX_VALUE;

    private static final class Release {
        private final Runnable action;

        /// Number of the flush for which the release waits.
        private long flush = UNASKED;

        Release(Runnable action) {
            this.action = action;
        }
    }

    private final FlushNumbers numbers;
    private final ArrayDeque<Release> releases = new ArrayDeque<>();

    /// Releases whose flush has not been requested yet.
    private final ArrayDeque<Release> unasked = new ArrayDeque<>();

    SessionReleases(FlushNumbers numbers) {
        this.numbers = numbers;
    }

    /// Adds a release, which waits for the flushes that are requested next.
    void add(Runnable action) {
        unasked.add(new Release(action));
    }

    /// Returns the number of pending releases.
    int size() {
        return unasked.size() + releases.size();
    }

    /// Records that all flushes have been requested.
    void asked() {
        while (!unasked.isEmpty()) {
            Release release = unasked.remove();
            release.flush = numbers.asked();
            releases.add(release);
        }
    }

    /// Runs the releases whose flushes are complete.
    ///
    /// @return number of releases
    int run() {
        int done = 0;
        while (!releases.isEmpty() && numbers.isFlushed(releases.peek().flush)) {
            releases.remove().action.run();
            done++;
        }
        return done;
    }
}
