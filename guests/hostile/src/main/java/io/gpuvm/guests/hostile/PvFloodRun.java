package io.gpuvm.guests.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.real.AtEnd;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GpuServer;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.RunListener;
import io.gpuvm.guests.real.ServerSpec;
import io.gpuvm.guests.real.VmSpec;
import io.gpuvm.statistics.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Floods beside a paravirtual guest. Measures the guest's copies during a flood, relative to its
/// copies while the same hostile guest is connected but idle.
///
/// Confined to the thread that calls [#run].
final class PvFloodRun {
    private static final VmSpec NEIGHBOUR = VmSpec.parse("neighbour", "mode=pv,vram=64M", "none");
    private static final String HOSTILE_VM = "mode=fv,vram=64M";
    private static final String GPU = "soft,vram=%dM";
    private static final int VM_MIB = 64;
    private static final double NEIGHBOUR_KEEPS = 0.8;

    /// Time for the hostile guest to start and prepare its flood.
    private static final Duration START = Duration.ofSeconds(20);

    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration SPARE = Duration.ofSeconds(60);

    private final HostileRun.Options options;
    private final RunListener listener;
    private final RunFolder folder;
    private final Children children = new Children();

    private PvFloodRun(HostileRun.Options options, RunListener listener) {
        this.options = options;
        this.listener = listener;
        folder = new RunFolder(options.keepFiles());
    }

    /// Result of a flood. `docs/hostile-guests.md` describes its JSON form.
    ///
    /// @param perSecond requests per second
    /// @param alone the neighbour's copies per second without a flood, by turn
    /// @param beside the neighbour's copies per second during the flood, by turn
    /// @param keeps median over the turns of `beside` divided by `alone`
    /// @param failures failures of the flood
    record Result(
            String name,
            double perSecond,
            List<Long> alone,
            List<Long> beside,
            double keeps,
            List<String> failures) {
        JsonNode toJson() {
            return new ObjectMapper().valueToTree(this);
        }
    }

    /// Runs the floods one after another, each on its own backend. No process and no socket is left
    /// when this method returns or throws.
    ///
    /// @throws IllegalStateException if the backend does not start, or the flood cannot be sent
    static List<Result> run(HostileRun.Options options, RunListener listener)
            throws InterruptedException {
        List<Result> results = new ArrayList<>();
        for (String name : options.floods()) {
            PvFloodRun run = new PvFloodRun(options, listener);
            try (AtEnd _ = new AtEnd(run::end)) {
                results.add(run.run(Flood.named(name)));
            }
        }
        return results;
    }

    private void end() {
        children.close();
        folder.close();
    }

    private Result run(Flood flood) throws InterruptedException {
        VmSpec hostile = VmSpec.parse("hostile", HOSTILE_VM, "none");
        listener.onProgress("flood beside a paravirtual guest: " + flood.text());
        GpuServer server =
                GpuServer.start(
                        new ServerSpec.Backend(
                                options.engine().in(GPU.formatted(2 * VM_MIB)), "backoff"),
                        List.of(NEIGHBOUR, hostile),
                        folder,
                        children,
                        listener);
        try (PvNeighbour neighbour = PvNeighbour.start(folder.socket(NEIGHBOUR.name()))) {
            Thread.sleep(WARM_UP);
            Result result = measure(flood, neighbour, folder.socket(hostile.name()).toString());
            List<String> failures = new ArrayList<>(result.failures);
            failures.addAll(ServerLog.read(folder.serverLog()).errors());
            return new Result(
                    result.name,
                    result.perSecond,
                    result.alone,
                    result.beside,
                    result.keeps,
                    failures);
        } finally {
            server.stop();
        }
    }

    private Result measure(Flood flood, PvNeighbour neighbour, String socket)
            throws InterruptedException {
        long startMs = System.currentTimeMillis() + START.toMillis();
        Turns turns = new Turns(startMs, options.half().toMillis(), options.turns());
        HostileProcess flooding =
                HostileProcess.start(
                        children, folder, "flood", flood.name(), socket, turns.toText());
        flooding.awaitAttack(START);
        List<Long> alone = new ArrayList<>();
        List<Long> beside = new ArrayList<>();
        for (int turn = 0; turn < turns.count(); turn++) {
            beside.add(perSecond(neighbour, turns, turn, false));
            alone.add(perSecond(neighbour, turns, turn, true));
        }
        double keeps = keeps(alone, beside);
        List<String> failures = new ArrayList<>();
        if (Double.compare(keeps, NEIGHBOUR_KEEPS) < 0) {
            failures.add(
                    "the neighbour's copies: ratio=%.2f, limit=%.2f"
                            .formatted(keeps, NEIGHBOUR_KEEPS));
        }
        return new Result(
                flood.text(),
                perSecond(flooding.awaitEnd(SPARE), turns),
                alone,
                beside,
                keeps,
                failures);
    }

    /// Returns the copies per second of the neighbour in one half of a turn.
    private static long perSecond(PvNeighbour neighbour, Turns turns, int turn, boolean second)
            throws InterruptedException {
        long endNs = turns.awaitHalf(turn, second);
        long beginNs = System.nanoTime();
        long before = neighbour.copies();
        TimeUnit.NANOSECONDS.sleep(endNs - beginNs);
        long tookNs = System.nanoTime() - beginNs;
        return (neighbour.copies() - before) * TimeUnit.SECONDS.toNanos(1) / tookNs;
    }

    private static double perSecond(List<String> said, Turns turns) {
        for (String line : said) {
            if (line.startsWith("sent ")) {
                return Long.parseLong(line.split(" ")[1]) * 1e3 / (turns.halfMs() * turns.count());
            }
        }
        throw new IllegalStateException("the flood's output lacks the line 'sent'");
    }

    private static double keeps(List<Long> alone, List<Long> beside) {
        double[] ratios = new double[alone.size()];
        Arrays.setAll(ratios, turn -> (double) beside.get(turn) / Math.max(1, alone.get(turn)));
        return Samples.of(ratios).median();
    }
}
