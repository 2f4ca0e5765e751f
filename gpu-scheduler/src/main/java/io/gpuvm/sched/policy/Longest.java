package io.gpuvm.sched.policy;

/// Maximum of the values that were recorded in the last one to two seconds.
final class Longest {
    private static final long EPOCH_NS = 1_000_000_000;

    private boolean begun;
    private long epochStartNs;
    private long present;
    private long past;

    void see(long value, long nowNs) {
        roll(nowNs);
        present = Math.max(present, value);
    }

    long get(long nowNs) {
        roll(nowNs);
        return Math.max(present, past);
    }

    private void roll(long nowNs) {
        if (!begun) {
            begun = true;
            epochStartNs = nowNs;
        }
        long elapsedNs = nowNs - epochStartNs;
        if (elapsedNs < EPOCH_NS) {
            return;
        }
        past = elapsedNs < 2 * EPOCH_NS ? present : 0;
        present = 0;
        epochStartNs = nowNs - elapsedNs % EPOCH_NS;
    }
}
