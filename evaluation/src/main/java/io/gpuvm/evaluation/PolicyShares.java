package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.evaluation.data.EvaluationSection;
import io.gpuvm.evaluation.data.ResultGap;
import io.gpuvm.evaluation.data.ShareSeries;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.ProcessorSplit;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.ThisBuild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Shares of the GPU's time under each policy, in successive intervals. `gpuvm fairness` measures
/// them with two guests: one has short commands, and the other has long commands. One thread.
final class PolicyShares {
    /// Policies in the order of the report.
    static final List<String> POLICIES = List.of("fifo", "credit", "band", "fair");

    /// GPU time of a command, in microseconds, by guest.
    private static final List<Long> LENGTHS_US = List.of(500L, 20_000L);

    /// Length of an interval of the results, in milliseconds.
    private static final int WINDOW_MS = 500;

    /// Length of an interval of `gpuvm fairness --csv`, in milliseconds.
    private static final int ROW_MS = 100;

    private static final int ROWS_OF_WINDOW = WINDOW_MS / ROW_MS;
    private static final int VM_COLUMN = 2;
    private static final int SHARE_COLUMN = 5;
    private static final int SHOWN_LINES = 3;

    /// Time limit of a run in addition to the measured time, in seconds.
    private static final int LIMIT_SECONDS = 180;

    private final EvaluationPlan plan;
    private final Journal journal;
    private final ProcessorSplit split;
    private final RunResources resources;

    PolicyShares(
            EvaluationPlan plan, Journal journal, ProcessorSplit split, RunResources resources) {
        this.plan = plan;
        this.journal = journal;
        this.split = split;
        this.resources = resources;
    }

    /// Returns one step for each policy.
    List<EvaluationStep> steps() {
        List<EvaluationStep> steps = new ArrayList<>();
        for (String policy : POLICIES) {
            steps.add(
                    new EvaluationStep(
                            TimeModel.SHARES,
                            "shares under " + policy,
                            false,
                            () ->
                                    journal.records(EvaluationSection.SHARES).stream()
                                            .anyMatch(each -> each.policy().equals(policy)),
                            _ -> measure(policy),
                            (reason, skipped) -> gap(policy, skipped, reason)));
        }
        return steps;
    }

    private void gap(String policy, boolean skipped, String reason) {
        journal.add(
                EvaluationSection.GAPS,
                new ResultGap(
                        EvaluationSection.SHARES.name(),
                        AccessConfiguration.PV_PROCESS.key(),
                        null,
                        0,
                        skipped,
                        "%s: %s".formatted(policy, reason)));
    }

    private void measure(String policy) throws InterruptedException {
        try (GuestScope scope = resources.newScope()) {
            RunFolder folder = scope.folder();
            Path csv = folder.path().resolve("shares.csv");
            Path json = folder.path().resolve("shares.json");
            Process process =
                    scope.add(
                            scope.children()
                                    .start(
                                            split.all().run(command(policy, csv, json)),
                                            folder.qemuLog("fairness"),
                                            folder.serverLog()),
                            Children::end);
            await(process);
            if (!Files.exists(csv)) {
                throw new GuestLostException(
                        "gpuvm fairness: exit status %d: %s"
                                .formatted(
                                        process.exitValue(),
                                        String.join(
                                                "; ",
                                                RunFolder.tail(folder.serverLog(), SHOWN_LINES))));
            }
            if (process.exitValue() != 0) {
                throw new GuestLostException(
                        "gpuvm fairness: the accounts of GPU time differ, limit=2 %");
            }
            addSeries(policy, csv, json);
        }
    }

    private List<String> command(String policy, Path csv, Path json) {
        List<String> arguments = new ArrayList<>(List.of("fairness", "--policy", policy));
        LENGTHS_US.forEach(us -> arguments.addAll(List.of("--guest", "length=" + us)));
        arguments.addAll(List.of("--seconds", "" + plan.amounts().shareSeconds()));
        arguments.addAll(List.of("--backend-processors", split.backends().text()));
        arguments.addAll(List.of("--guest-processors", split.guests().text()));
        arguments.addAll(List.of("--csv", csv.toString(), "--json", json.toString()));
        return ThisBuild.gpuvm(jvmOptions(), arguments);
    }

    private void await(Process process) throws InterruptedException {
        int limit = plan.amounts().shareSeconds() + LIMIT_SECONDS;
        if (!process.waitFor(limit, TimeUnit.SECONDS)) {
            throw new GuestLostException("gpuvm fairness did not end, limit=%d s".formatted(limit));
        }
    }

    private void addSeries(String policy, Path csv, Path json) {
        try {
            JsonNode figures = new ObjectMapper().readTree(json.toFile());
            for (ShareSeries series : series(policy, Files.readAllLines(csv), figures)) {
                journal.add(EvaluationSection.SHARES, series);
            }
        } catch (IOException e) {
            throw new GuestLostException("gpuvm fairness: " + e.getMessage());
        }
    }

    /// Returns the JVM options of a command that starts further processes of this build.
    private static List<String> jvmOptions() {
        return List.of(JvmOptions.kernels(), "-Dgpuvm.root=" + GuestFiles.locate().root());
    }

    /// Converts the content of the files of `gpuvm fairness`.
    ///
    /// @param rows lines of the CSV, with the header
    /// @param figures content of the JSON
    static List<ShareSeries> series(String policy, List<String> rows, JsonNode figures) {
        Map<String, List<Double>> shares = new LinkedHashMap<>();
        for (String row : rows.subList(1, rows.size())) {
            String[] columns = row.split(",");
            shares.computeIfAbsent(columns[VM_COLUMN], _ -> new ArrayList<>())
                    .add(Double.valueOf(columns[SHARE_COLUMN]));
        }
        List<ShareSeries> all = new ArrayList<>();
        for (JsonNode vm : figures.path("vms")) {
            String name = vm.path("name").asText();
            all.add(
                    new ShareSeries(
                            policy,
                            name,
                            vm.path("lengthUs").asLong(),
                            vm.path("entitledShare").asDouble(),
                            WINDOW_MS,
                            means(shares.getOrDefault(name, List.of()))));
        }
        return all;
    }

    private static List<Double> means(List<Double> rows) {
        List<Double> means = new ArrayList<>();
        for (int from = 0; from + ROWS_OF_WINDOW <= rows.size(); from += ROWS_OF_WINDOW) {
            means.add(
                    rows.subList(from, from + ROWS_OF_WINDOW).stream()
                            .mapToDouble(Double::doubleValue)
                            .average()
                            .orElseThrow());
        }
        return means;
    }
}
