package io.gpuvm.guests.hostile.cuda;

/// Amount of work of a run.
///
/// @param seed seed of all random choices
/// @param entries number of random entries of the part `garbage`
/// @param images number of damaged modules of the part `modules`
/// @param sessions number of sessions of the part `sessions`
/// @param kills number of kills of the parts `client-killed` and `backend-killed` each
/// @param flood number of calls that try to use up memory of the backend
/// @param longestMs time after the end of the backend within which each call of a program must
///   fail, in milliseconds
/// @param negative whether effects are missing, so that each part must fail
/// @param keep whether files are kept after the run
record HostileSettings(
        long seed,
        int entries,
        int images,
        int sessions,
        int kills,
        int flood,
        long longestMs,
        boolean negative,
        boolean keep) {
    /// Documented time within which a call fails after the end of the backend.
    private static final long ONE_SECOND_MS = 1000;

    /// The same on a host that other tests use.
    private static final long BUSY_HOST_MS = 20_000;

    /// Returns the settings of a complete run.
    static HostileSettings complete(long seed, boolean negative, boolean keep) {
        return new HostileSettings(
                seed, 2_000_000, 2000, 1000, 50, 4_000_000, ONE_SECOND_MS, negative, keep);
    }

    /// Returns the settings of a run of some seconds.
    static HostileSettings brief(long seed, boolean negative, boolean keep) {
        return new HostileSettings(seed, 60_000, 60, 40, 2, 100_000, BUSY_HOST_MS, negative, keep);
    }
}
