package io.gpuvm.counters;

import java.util.function.IntToLongFunction;

/// Buckets of durations: four equally wide buckets for each power of two from 1.024 us to 68.7 s,
/// one for shorter and one for longer durations. A bucket's width is at most a quarter of its lower
/// bound.
///
/// Pure functions.
public final class WaitBuckets {
    /// Binary logarithm of the least duration that has a bucket of its own, in nanoseconds.
    private static final int FIRST_POWER = 10;

    /// Binary logarithm of the duration from which all durations share the last bucket.
    private static final int LAST_POWER = 36;

    private static final int PARTS_BITS = 2;

    /// Number of buckets for each power of two.
    public static final int PARTS = 1 << PARTS_BITS;

    /// Number of buckets.
    public static final int COUNT = (LAST_POWER - FIRST_POWER) * PARTS + 2;

    /// Number of the bucket of all longer durations.
    private static final int LAST = COUNT - 1;

    private static final double WHOLE = 100;

    private WaitBuckets() {}

    /// Returns the number of a duration's bucket.
    ///
    /// @param ns duration in nanoseconds; negative durations count as 0
    public static int of(long ns) {
        if (ns < 1L << FIRST_POWER) {
            return 0;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(ns);
        if (power >= LAST_POWER) {
            return LAST;
        }
        int part = (int) (ns >>> power - PARTS_BITS) & PARTS - 1;
        return 1 + (power - FIRST_POWER) * PARTS + part;
    }

    /// Returns the least duration of a bucket, in nanoseconds.
    public static long from(int bucket) {
        if (bucket == 0) {
            return 0;
        }
        int power = FIRST_POWER + (bucket - 1) / PARTS;
        long part = PARTS + (bucket - 1) % PARTS;
        return part << power - PARTS_BITS;
    }

    /// Returns the least duration that is longer than those of a bucket, in nanoseconds;
    /// [Long#MAX_VALUE] for the last bucket.
    public static long to(int bucket) {
        return bucket == LAST ? Long.MAX_VALUE : from(bucket + 1);
    }

    /// Estimates a percentile. The durations of a bucket are assumed to be equally distributed in
    /// it; those of the last bucket count as its lower bound.
    ///
    /// @param counts number of durations, by bucket
    /// @param percent 0 to 100
    /// @return duration in nanoseconds; 0 if there is no duration
    public static long percentile(IntToLongFunction counts, double percent) {
        long total = 0;
        for (int bucket = 0; bucket < COUNT; bucket++) {
            total += counts.applyAsLong(bucket);
        }
        if (total <= 0) {
            return 0;
        }
        double rank = Math.max(1, percent / WHOLE * total);
        long before = 0;
        for (int bucket = 0; bucket < LAST; bucket++) {
            long count = counts.applyAsLong(bucket);
            if (count > 0 && before + count >= rank) {
                double part = (rank - before) / count;
                return from(bucket) + (long) (part * (to(bucket) - from(bucket)));
            }
            before += count;
        }
        return from(LAST);
    }
}
