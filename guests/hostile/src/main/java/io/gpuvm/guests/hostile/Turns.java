package io.gpuvm.guests.hostile;

import java.util.concurrent.TimeUnit;

/// Schedule of two processes: the first half of each turn belongs to one process, the second half
/// to the other. Both know the schedule and the clock.
///
/// @param startMs start of the first turn, milliseconds since 1970
/// @param halfMs duration of half a turn, milliseconds
/// @param count number of turns
record Turns(long startMs, long halfMs, int count) {
    /// Form on command lines.
    String toText() {
        return "%d:%d:%d".formatted(startMs, halfMs, count);
    }

    static Turns parse(String text) {
        String[] part = text.split(":");
        return new Turns(
                Long.parseLong(part[0]), Long.parseLong(part[1]), Integer.parseInt(part[2]));
    }

    /// Start of a half, milliseconds since 1970.
    long beginMs(int turn, boolean second) {
        return startMs + (2L * turn + (second ? 1 : 0)) * halfMs;
    }

    long endMs() {
        return beginMs(count, false);
    }

    /// Sleeps until a half begins.
    ///
    /// @return end of the half by [System#nanoTime()]
    long awaitHalf(int turn, boolean second) throws InterruptedException {
        long leftMs = beginMs(turn, second) - System.currentTimeMillis();
        if (leftMs > 0) {
            Thread.sleep(leftMs);
        }
        long left = beginMs(turn, second) + halfMs - System.currentTimeMillis();
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(left);
    }
}
