package io.gpuvm.guests.hostile;

import java.util.concurrent.TimeUnit;

/// Who may work when: the first half of each turn belongs to one process, the second to another.
/// Both know the plan and the clock.
///
/// @param startMs of the first turn, milliseconds since 1970
/// @param halfMs how long each half lasts
/// @param count how many turns there are
record Turns(long startMs, long halfMs, int count) {
    /// As a word of a command line.
    String toText() {
        return "%d:%d:%d".formatted(startMs, halfMs, count);
    }

    static Turns parse(String text) {
        String[] part = text.split(":");
        return new Turns(
                Long.parseLong(part[0]), Long.parseLong(part[1]), Integer.parseInt(part[2]));
    }

    /// When a half begins.
    long beginMs(int turn, boolean second) {
        return startMs + (2L * turn + (second ? 1 : 0)) * halfMs;
    }

    long endMs() {
        return beginMs(count, false);
    }

    /// Sleeps until a half begins.
    ///
    /// @return the time on [System#nanoTime()] when it ends
    long awaitHalf(int turn, boolean second) throws InterruptedException {
        long leftMs = beginMs(turn, second) - System.currentTimeMillis();
        if (leftMs > 0) {
            Thread.sleep(leftMs);
        }
        long left = beginMs(turn, second) + halfMs - System.currentTimeMillis();
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(left);
    }
}
