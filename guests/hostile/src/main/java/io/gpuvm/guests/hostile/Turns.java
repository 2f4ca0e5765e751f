package io.gpuvm.guests.hostile;

import java.util.concurrent.TimeUnit;

/// Schedule of two processes. The first process works in the first half of each turn, the second
/// process in the second half. Both processes receive the schedule and share the clock.
///
/// @param startMs start of the first turn, in milliseconds since 1970
/// @param halfMs duration of half a turn, in milliseconds
/// @param count number of turns
record Turns(long startMs, long halfMs, int count) {
    /// Returns the text form for command lines.
    String toText() {
        return "%d:%d:%d".formatted(startMs, halfMs, count);
    }

    static Turns parse(String text) {
        String[] part = text.split(":");
        return new Turns(
                Long.parseLong(part[0]), Long.parseLong(part[1]), Integer.parseInt(part[2]));
    }

    /// Returns the start of a half, in milliseconds since 1970.
    long beginMs(int turn, boolean second) {
        return startMs + (2L * turn + (second ? 1 : 0)) * halfMs;
    }

    long endMs() {
        return beginMs(count, false);
    }

    /// Sleeps until a half begins.
    ///
    /// @return end of the half, by [System#nanoTime()]
    long awaitHalf(int turn, boolean second) throws InterruptedException {
        long leftMs = beginMs(turn, second) - System.currentTimeMillis();
        if (leftMs > 0) {
            Thread.sleep(leftMs);
        }
        long left = beginMs(turn, second) + halfMs - System.currentTimeMillis();
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(left);
    }
}
