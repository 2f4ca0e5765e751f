package io.gpuvm.bench.fairness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.statistics.Samples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `./gpuvm fairness-table`: summary of several runs.
@Command(
        name = "fairness-table",
        sortOptions = false,
        description = {
            "Summarize several runs of 'gpuvm fairness'.",
            "Each combination of file name without number, policy and number of guests has a row"
                    + " of CSV: the median and the worst value of the runs."
        })
public final class RunTable implements OneLineErrors {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double PERCENT = 100;
    private static final double US_PER_MS = 1e3;
    private static final double US_PER_SECOND = 1e6;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Files of 'gpuvm fairness --json'.")
    private List<Path> files;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Additional file for the rows. Default: none.")
    private Path out;

    /// Figures of one run.
    ///
    /// @param scene name of the run's file without the final number and the extension
    record Run(String scene, JsonNode figures) {
        private static final Pattern NUMBERED = Pattern.compile("(.*?)(-\\d+)?\\.json");

        private static Run read(Path file) {
            Matcher name = NUMBERED.matcher(file.getFileName().toString());
            String scene = name.matches() ? name.group(1) : file.getFileName().toString();
            try {
                return new Run(scene, JSON.readTree(file.toFile()));
            } catch (IOException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }
    }

    /// Minimum number of waits from which a 99th percentile is computed.
    private static final int LEAST_FOR_P99 = 100;

    /// Column of the table: one figure of each run.
    ///
    /// @param worstIsLeast whether a lower value is worse
    private record Column(String name, boolean worstIsLeast, ToDoubleFunction<JsonNode> figure) {}

    private static final List<Column> COLUMNS =
            List.of(
                    at("jain500ms", true, "/windows/500ms/jainMedian", 1),
                    at("jain500msLeast", true, "/windows/500ms/jainWorst", 1),
                    at("deviation1sPct", false, "/windows/1s/maxDeviationPct", 1),
                    at("deviation10sPct", false, "/windows/10s/maxDeviationPct", 1),
                    new Column("shareOffPct", false, RunTable::shareOff),
                    at("utilizationPct", true, "/utilization", PERCENT),
                    new Column("belowShareWaitP99Ms", false, RunTable::belowShareWait),
                    new Column("commandsPerSecond", true, RunTable::commandsPerSecond),
                    new Column("slowDown", false, RunTable::slowDown),
                    at("gapQueuedUs", false, "/gaps/queued/p50Us", 1),
                    at("gapAwaitedUs", false, "/gaps/awaited/p50Us", 1),
                    at("accountsPct", false, "/agreement/secondsPct", 1));

    private static Column at(String name, boolean worstIsLeast, String pointer, double factor) {
        return new Column(name, worstIsLeast, run -> factor * run.at(pointer).asDouble(Double.NaN));
    }

    /// Returns the largest 99th percentile of waits, in milliseconds, among guests below their
    /// share. Guests with fewer commands than [#LEAST_FOR_P99] are ignored, because their 99th
    /// percentile is their longest wait.
    private static double belowShareWait(JsonNode run) {
        double largest = 0;
        for (JsonNode vm : run.path("vms")) {
            if (vm.path("belowShareCommands").asLong() >= LEAST_FOR_P99) {
                double us = vm.path("belowShareWaitP99Us").asDouble();
                largest = Math.max(largest, us / US_PER_MS);
            }
        }
        return largest;
    }

    /// Returns the largest deviation of a guest's share from its due share, in percent of the due
    /// share.
    private static double shareOff(JsonNode run) {
        double largest = 0;
        for (JsonNode vm : run.path("vms")) {
            double ratio = vm.path("share").asDouble() / vm.path("entitledShare").asDouble();
            largest = Math.max(largest, PERCENT * Math.abs(ratio - 1));
        }
        return largest;
    }

    private static double commandsPerSecond(JsonNode run) {
        double commands = 0;
        for (JsonNode vm : run.path("vms")) {
            commands += vm.path("commands").asDouble();
        }
        return commands / run.path("seconds").asDouble();
    }

    /// Returns the mean duration of a command, relative to its length, for the slowest guest. Valid
    /// only for guests without pauses.
    private static double slowDown(JsonNode run) {
        double largest = 0;
        for (JsonNode vm : run.path("vms")) {
            double lengthSeconds = vm.path("lengthUs").asDouble() / US_PER_SECOND;
            double served = vm.path("commands").asDouble() * lengthSeconds;
            largest = Math.max(largest, run.path("seconds").asDouble() / served);
        }
        return largest;
    }

    @Override
    public Integer call() {
        List<String> rows = rows(files.stream().map(Run::read).toList());
        rows.forEach(System.out::println);
        if (out != null) {
            try {
                Files.write(out, rows);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return CommandLine.ExitCode.OK;
    }

    /// Returns the heading and the rows.
    static List<String> rows(List<Run> runs) {
        Map<String, List<JsonNode>> groups = new TreeMap<>();
        for (Run run : runs) {
            JsonNode figures = run.figures;
            String key =
                    String.join(
                            ",",
                            run.scene,
                            figures.path("policy").asText(),
                            "" + figures.path("vms").size());
            groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(figures);
        }
        StringBuilder heading = new StringBuilder("scene,policy,guests,runs");
        for (Column column : COLUMNS) {
            heading.append(',').append(column.name).append(',').append(column.name).append("Worst");
        }
        List<String> rows = new ArrayList<>(List.of(heading.toString()));
        groups.forEach((key, group) -> rows.add(key + "," + group.size() + figures(group)));
        return rows;
    }

    private static String figures(List<JsonNode> runs) {
        StringBuilder row = new StringBuilder();
        for (Column column : COLUMNS) {
            Samples figures = Samples.of(runs.stream().mapToDouble(column.figure).toArray());
            double worst = column.worstIsLeast ? figures.least() : figures.most();
            row.append(',').append(number(figures.median())).append(',').append(number(worst));
        }
        return row.toString();
    }

    /// Returns a value as text; an empty text for NaN.
    private static String number(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.4f", value);
    }
}
