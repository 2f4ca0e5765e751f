package io.gpuvm.guests.hostile;

import io.gpuvm.guests.hostile.HostileReport.FloodResult;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Cost of a flood to the neighbour, relative to the cost of the same use of the processors.
///
/// The flood first runs alone, to measure the processor time of its process and of the backend's
/// thread that serves it. Then the flood alternates with a process that uses as much processor
/// time.
final class FloodMeasure {
    private static final double NEIGHBOUR_KEEPS = 0.8;
    private static final Duration START = Duration.ofSeconds(6);
    private static final Duration SPARE = Duration.ofSeconds(60);

    /// Number of turns that measure the processor use of a flood. One turn is not enough, because
    /// code that is not compiled yet uses more time.
    private static final int FIRST_TURNS = 2;

    /// Number of turns that may lack reports of the neighbour because of other load on the host.
    private static final int SPARE_TURNS = 2;

    private final Flood flood;
    private final HostileRun.Options options;
    private final RunFolder folder;
    private final Children children;
    private final long serverPid;
    private final CopyRate rate;

    /// @param rate copy rate of the neighbour
    FloodMeasure(
            Flood flood,
            HostileRun.Options options,
            RunFolder folder,
            Children children,
            long serverPid,
            CopyRate rate) {
        this.flood = flood;
        this.options = options;
        this.folder = folder;
        this.children = children;
        this.serverPid = serverPid;
        this.rate = rate;
    }

    /// Use of the processors by a flood.
    ///
    /// @param perSecond requests per second
    /// @param guestShare processors used by the flood's process
    /// @param backendShare processors used by the backend's thread
    private record Use(long perSecond, double guestShare, double backendShare) {}

    /// @param vm virtual machine of the flood
    FloodResult measure(String vm) throws InterruptedException {
        Turns first = turns(FIRST_TURNS);
        Use use = use(vm, first, start(vm, first));

        Turns turns = turns(options.turns() + SPARE_TURNS);
        HostileProcess flooding = start(vm, turns);
        HostileProcess burning =
                HostileProcess.start(
                        children,
                        folder,
                        "burn",
                        turns.toText(),
                        share(use.guestShare),
                        share(use.backendShare));
        Use whole = use(vm, turns, flooding);
        burning.awaitEnd(SPARE);
        List<Double> ratios = ratios(turns);
        FloodResult result =
                new FloodResult(
                        flood.text(),
                        whole.perSecond,
                        whole.guestShare,
                        whole.backendShare,
                        ratios,
                        List.of(),
                        List.of());
        return Double.compare(result.ratioMedian(), NEIGHBOUR_KEEPS) >= 0
                        && ratios.size() >= options.turns()
                ? result
                : result.withFailure(
                        ("the neighbour's copies: ratio=%.2f, turns=%d, expected a ratio of at"
                                        + " least %.2f in at least %d turns")
                                .formatted(
                                        result.ratioMedian(),
                                        ratios.size(),
                                        NEIGHBOUR_KEEPS,
                                        options.turns()));
    }

    private Turns turns(int count) {
        long startMs = System.currentTimeMillis() + START.toMillis();
        return new Turns(startMs, options.half().toMillis(), count);
    }

    private HostileProcess start(String vm, Turns turns) {
        String socket = folder.socket(vm).toString();
        return HostileProcess.start(
                children, folder, "flood", flood.name(), socket, turns.toText());
    }

    /// Waits for the end of a flood, and returns its use of the processors.
    private Use use(String vm, Turns turns, HostileProcess flooding) throws InterruptedException {
        flooding.awaitAttack(SPARE);
        long before = backendNs(vm);
        Duration left = Duration.ofMillis(turns.endMs() - System.currentTimeMillis());
        List<String> said = flooding.awaitEnd(left.plus(SPARE));
        long used = backendNs(vm) - before;
        double floodedNs = TimeUnit.MILLISECONDS.toNanos(turns.halfMs() * turns.count());
        for (String line : said) {
            if (line.startsWith("sent ")) {
                String[] words = line.split(" ");
                double perSecond =
                        Long.parseLong(words[1]) / floodedNs * TimeUnit.SECONDS.toNanos(1);
                return new Use(
                        (long) perSecond, Long.parseLong(words[2]) / floodedNs, used / floodedNs);
            }
        }
        throw new IllegalStateException("the flood's output lacks the line 'sent'");
    }

    private List<Double> ratios(Turns turns) {
        List<Double> ratios = new ArrayList<>();
        for (int turn = 0; turn < turns.count(); turn++) {
            double beside = rate(turns, turn, false);
            double alone = rate(turns, turn, true);
            if (beside >= 0 && alone > 0) {
                ratios.add(beside / alone);
            }
        }
        return ratios;
    }

    private double rate(Turns turns, int turn, boolean second) {
        long begin = turns.beginMs(turn, second);
        return rate.between(begin, begin + turns.halfMs());
    }

    private long backendNs(String vm) {
        try {
            return ThreadTime.ofNs(serverPid, "gpuvm-vm-" + vm);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String share(double processors) {
        return String.format(Locale.ROOT, "%.3f", Math.min(1, processors));
    }
}
