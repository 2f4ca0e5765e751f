package io.gpuvm.workloads;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// What a [SpinLoop] asks of the GPU.
///
/// @param length what the GPU is to take for a command, 1 us to 2 s
/// @param think from a command's end to the next one, of each of those under way
/// @param burst how long it goes on at a time; zero for all the time
/// @param pause how long it then asks for nothing
/// @param outstanding how many commands are under way at a time, each on a stream of its own, 1 to
///   [#MOST_OUTSTANDING]
public record SpinPlan(
        Duration length, Duration think, Duration burst, Duration pause, int outstanding) {
    /// As many streams as have a channel of their own.
    public static final int MOST_OUTSTANDING = 16;

    private static final Duration SHORTEST = Duration.ofNanos(1000);
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final Duration LONGEST_GAP = Duration.ofHours(1);

    /// @throws IllegalArgumentException naming what is out of range, and the limits
    public SpinPlan {
        check("length", length, SHORTEST, LONGEST);
        check("think", think, Duration.ZERO, LONGEST_GAP);
        check("burst", burst, Duration.ZERO, LONGEST_GAP);
        check("pause", pause, Duration.ZERO, LONGEST_GAP);
        if (burst.isZero() && !pause.isZero()) {
            throw new IllegalArgumentException("pause=%s, limit=with a burst".formatted(pause));
        }
        if (outstanding < 1 || outstanding > MOST_OUTSTANDING) {
            throw new IllegalArgumentException(
                    "outstanding=%d, limit=1 to %d".formatted(outstanding, MOST_OUTSTANDING));
        }
    }

    /// One command after the other, without a rest.
    public static SpinPlan steady(Duration length) {
        return new SpinPlan(length, Duration.ZERO, Duration.ZERO, Duration.ZERO, 1);
    }

    /// When the next command may be submitted.
    ///
    /// @param sinceStartNs a time, in nanoseconds since the loop began
    /// @return the same time, or the end of the pause in which it lies
    long nextNs(long sinceStartNs) {
        if (burst.isZero()) {
            return sinceStartNs;
        }
        long round = burst.toNanos() + pause.toNanos();
        long phase = Math.floorMod(sinceStartNs, round);
        return phase < burst.toNanos() ? sinceStartNs : sinceStartNs - phase + round;
    }

    private static void check(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "%s=%d us, limit=%d us to %d us"
                            .formatted(name, us(value), us(least), us(most)));
        }
    }

    private static long us(Duration time) {
        return TimeUnit.NANOSECONDS.toMicros(time.toNanos());
    }
}
