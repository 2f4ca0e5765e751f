package io.gpuvm.workloads;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Load that a [SpinLoop] puts on the GPU.
///
/// @param length length of a command on the GPU, 1 us to 2 s
/// @param think time from a command's end to the next submission, on each stream
/// @param burst length of a burst of commands; zero for a continuous load
/// @param pause pause between bursts
/// @param outstanding number of concurrent commands in flight, each on its own stream, 1 to
///   [#MOST_OUTSTANDING]
public record SpinPlan(
        Duration length, Duration think, Duration burst, Duration pause, int outstanding) {
    /// Maximum number of commands in flight: the number of streams with a channel of their own.
    public static final int MOST_OUTSTANDING = 16;

    private static final Duration SHORTEST = Duration.ofNanos(1000);
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final Duration LONGEST_GAP = Duration.ofHours(1);

    /// @throws IllegalArgumentException if a value is out of range; the message names the limits
    public SpinPlan {
        check("length", length, SHORTEST, LONGEST);
        check("think", think, Duration.ZERO, LONGEST_GAP);
        check("burst", burst, Duration.ZERO, LONGEST_GAP);
        check("pause", pause, Duration.ZERO, LONGEST_GAP);
        if (burst.isZero() && !pause.isZero()) {
            throw new IllegalArgumentException(
                    "burst=0 us, pause=%d us, expected pause=0 us".formatted(us(pause)));
        }
        if (outstanding < 1 || outstanding > MOST_OUTSTANDING) {
            throw new IllegalArgumentException(
                    "outstanding=%d, expected 1 to %d".formatted(outstanding, MOST_OUTSTANDING));
        }
    }

    /// Returns a plan of consecutive commands without pauses.
    public static SpinPlan steady(Duration length) {
        return new SpinPlan(length, Duration.ZERO, Duration.ZERO, Duration.ZERO, 1);
    }

    /// Returns the time at which the next command may be submitted.
    ///
    /// @param sinceStartNs time in nanoseconds since the loop began
    /// @return the same time, or the end of the pause that contains it
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
                    "%s=%d us, expected %d us to %d us"
                            .formatted(name, us(value), us(least), us(most)));
        }
    }

    private static long us(Duration time) {
        return TimeUnit.NANOSECONDS.toMicros(time.toNanos());
    }
}
