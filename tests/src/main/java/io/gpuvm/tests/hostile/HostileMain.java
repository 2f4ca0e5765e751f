package io.gpuvm.tests.hostile;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// The process of a hostile guest. Says on standard output what it does:
///
/// ```text
///   attacking        everything is set up
///   found TEXT       something succeeded that must not
///   rate N           a flood sent N requests per second
///   done             all tries are over
/// ```
///
/// Arguments: `case NAME SOCKET NEIGHBOUR once|forever`, `flood doorbells|flushes SOCKET SECONDS`,
/// or `burn SECONDS SHARE...`, which is no guest at all, but uses the processor as one does: a
/// thread for each share, from 0 to 1.
final class HostileMain {
    private static final PrintStream OUT = System.out;

    private HostileMain() {}

    public static void main(String[] args) throws InterruptedException {
        switch (args[0]) {
            case "case" ->
                    attack(
                            HostileCase.valueOf(args[1]),
                            Path.of(args[2]),
                            Neighbour.parse(args[3]),
                            args[4].equals("forever"));
            case "flood" ->
                    flood(
                            args[1],
                            Path.of(args[2]),
                            TimeUnit.SECONDS.toNanos(Long.parseLong(args[3])));
            case "burn" -> Burning.run(args);
            default -> throw new IllegalArgumentException(args[0]);
        }
        OUT.println("done");
    }

    private static void attack(
            HostileCase what, Path socket, Neighbour neighbour, boolean forever) {
        OUT.println("attacking");
        do {
            what.attack(socket, neighbour, text -> OUT.println("found " + text));
        } while (forever);
    }

    private static void flood(String what, Path socket, long durationNs) {
        try (HostileGuest guest = new HostileGuest(socket, text -> OUT.println("found " + text))) {
            Floods floods = new Floods(guest);
            OUT.println("attacking");
            long begin = System.nanoTime();
            long sent =
                    what.equals("doorbells")
                            ? floods.doorbells(durationNs)
                            : floods.flushes(durationNs);
            long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            OUT.println("rate " + sent * TimeUnit.SECONDS.toMillis(1) / tookMs);
        }
    }
}
