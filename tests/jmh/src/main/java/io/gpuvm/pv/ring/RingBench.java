package io.gpuvm.pv.ring;

import io.gpuvm.cli.Main;
import io.gpuvm.workloads.measure.Spread;
import java.lang.foreign.Arena;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./gpuvm bench-rings`: cost of the rings of shared areas, compared with Agrona's ring and with a
/// single word.
@Command(
        name = "gpuvm bench-rings",
        description = {
            "Compare the rings of paravirtual guests with Agrona's.",
            "Entries of 64 bytes are sent from one thread to another, both always awake. The"
                    + " entries pass in turn through a ring of shared areas, Agrona's ring, and a"
                    + " single word. Each line has medians over all rounds, and the median of the"
                    + " rounds' ratios to the word or to Agrona."
        })
public final class RingBench implements Callable<Integer> {
    private static final int WARM_UPS = 3;
    private static final double NANOS_PER_MICRO = 1e3;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "11",
            description = "Number of rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--trips",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Number of round trips in a round. Default: ${DEFAULT-VALUE}.")
    private int trips;

    @Option(
            names = "--entries",
            paramLabel = "N",
            defaultValue = "4000000",
            description = "Number of entries sent in a round. Default: ${DEFAULT-VALUE}.")
    private int entries;

    private final Map<PipeKind, double[]> tripNs = new EnumMap<>(PipeKind.class);
    private final Map<PipeKind, double[]> sendNs = new EnumMap<>(PipeKind.class);
    private final Map<PipeKind, double[]> aloneNs = new EnumMap<>(PipeKind.class);

    private RingBench() {}

    public static void main(String... arguments) {
        System.exit(Main.configured(new CommandLine(new RingBench())).execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        for (int round = -WARM_UPS; round < rounds; round++) {
            for (PipeKind kind : PipeKind.values()) {
                put(tripNs, kind, round, roundTrip(kind));
                if (kind != PipeKind.WORD) {
                    put(sendNs, kind, round, send(kind));
                    put(aloneNs, kind, round, alone(kind));
                }
            }
        }
        for (PipeKind kind : PipeKind.values()) {
            print(kind, "round trip", tripNs, PipeKind.WORD);
        }
        for (Map<PipeKind, double[]> times : List.of(sendNs, aloneNs)) {
            String what = times == sendNs ? "entry, two threads" : "entry, one thread";
            times.keySet().forEach(kind -> print(kind, what, times, PipeKind.AGRONA));
        }
        return 0;
    }

    private void put(Map<PipeKind, double[]> times, PipeKind kind, int round, double ns) {
        if (round >= 0) {
            times.computeIfAbsent(kind, _ -> new double[rounds])[round] = ns;
        }
    }

    private void print(
            PipeKind kind, String what, Map<PipeKind, double[]> times, PipeKind reference) {
        double[] mine = times.get(kind);
        double[] ratios = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            ratios[i] = mine[i] / times.get(reference)[i];
        }
        Spread spread = Spread.of(mine);
        System.out.printf(
                Locale.ROOT,
                "%-18s  %-6s  %7.1f ns (%.1f to %.1f)  %6.1f M/s  %.2f x %s%n",
                what,
                kind,
                spread.median(),
                spread.least(),
                spread.most(),
                NANOS_PER_MICRO / spread.median(),
                Spread.of(ratios).median(),
                reference);
    }

    /// Returns the time of a round trip of an entry, in nanoseconds.
    private double roundTrip(PipeKind kind) throws InterruptedException {
        try (Arena arena = Arena.ofShared()) {
            Pipe there = kind.open(arena);
            Pipe back = kind.open(arena);
            Thread echo = Thread.ofPlatform().start(() -> echo(there, back));
            there.write(0, 1);
            back.read(1);
            long start = System.nanoTime();
            for (int i = 1; i < trips; i++) {
                there.write(i, 1);
                back.read(1);
            }
            double ns = (double) (System.nanoTime() - start) / (trips - 1);
            echo.join();
            return ns;
        }
    }

    private void echo(Pipe there, Pipe back) {
        for (int i = 0; i < trips; i++) {
            there.read(1);
            back.write(i, 1);
        }
    }

    /// Returns the time per entry sent from one thread to another in a long sequence, in
    /// nanoseconds.
    private double send(PipeKind kind) throws InterruptedException {
        try (Arena arena = Arena.ofShared()) {
            Pipe pipe = kind.open(arena);
            Thread writer = Thread.ofPlatform().start(() -> pipe.write(0, entries));
            pipe.read(1);
            long start = System.nanoTime();
            long sum = pipe.read(entries - 1);
            double ns = (double) (System.nanoTime() - start) / (entries - 1);
            writer.join();
            long expected = (long) entries * (entries - 1) / 2;
            if (sum != expected) {
                throw new IllegalStateException(
                        "%s: sum of entries=%d, expected=%d".formatted(kind, sum, expected));
            }
            return ns;
        }
    }

    /// Returns the processor time per entry in batches written and read by one thread, in
    /// nanoseconds.
    private double alone(PipeKind kind) {
        try (Arena arena = Arena.ofShared()) {
            Pipe pipe = kind.open(arena);
            long start = System.nanoTime();
            for (int i = 0; i < entries; i += Pipe.BATCH) {
                pipe.write(i, Pipe.BATCH);
                pipe.read(Pipe.BATCH);
            }
            return (double) (System.nanoTime() - start) / entries;
        }
    }
}
