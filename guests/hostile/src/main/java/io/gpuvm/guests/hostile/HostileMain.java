package io.gpuvm.guests.hostile;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/// Process of a hostile guest. It reports on standard output:
///
/// ```text
///   attacking        an attack begins
///   attacked         the first attack of a case has ended
///   found TEXT       an operation that must fail succeeded
///   sent N NANOS     a flood has ended: number of requests, processor time in nanoseconds
///   done             all work has ended
/// ```
///
/// Arguments: `case NAME SOCKET NEIGHBOUR`, which attacks until the process is killed, `flood NAME
/// SOCKET TURNS`, or `burn TURNS SHARE...`, which only uses processor time.
final class HostileMain {
    private static final PrintStream OUT = System.out;

    private HostileMain() {}

    public static void main(String[] args) throws InterruptedException {
        switch (args[0]) {
            case "case" ->
                    attack(HostileCase.valueOf(args[1]), Path.of(args[2]), Victim.parse(args[3]));
            case "flood" -> flood(Flood.valueOf(args[1]), Path.of(args[2]), Turns.parse(args[3]));
            case "burn" ->
                    Burning.run(
                            Turns.parse(args[1]),
                            Arrays.stream(args).skip(2).mapToDouble(Double::parseDouble).toArray());
            default ->
                    throw new IllegalArgumentException(
                            "mode=%s, expected one of case, flood, burn".formatted(args[0]));
        }
        OUT.println("done");
    }

    private static void attack(HostileCase what, Path socket, Victim neighbour) {
        OUT.println("attacking");
        what.attack(socket, neighbour, text -> OUT.println("found " + text));
        OUT.println("attacked");
        while (true) {
            what.attack(socket, neighbour, text -> OUT.println("found " + text));
        }
    }

    private static void flood(Flood what, Path socket, Turns turns) throws InterruptedException {
        try (HostileGuest guest = new HostileGuest(socket, text -> OUT.println("found " + text))) {
            Flood.Sender sender = what.on(guest);
            OUT.println("attacking");
            long usedBefore = usedNs();
            long sent = Flood.run(sender, guest, turns);
            OUT.println("sent " + sent + " " + (usedNs() - usedBefore));
        }
    }

    private static long usedNs() {
        return ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }
}
