package io.gpuvm.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.statistics.Samples;
import io.gpuvm.workloads.SpinLoop;
import io.gpuvm.workloads.SpinPlan;
import io.gpuvm.workloads.SpinTrace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `gpuvm spin`: a program that loads a GPU with commands of known length.
@Command(
        name = "spin",
        description = "Keep a GPU busy with commands of known length.",
        sortOptions = false,
        footer = {
            "",
            "Example, a guest with continuous load:",
            "  gpuvm spin --socket /tmp/vm0.sock --length 500 --seconds 10 \\",
            "      --json figures.json",
            "",
            "docs/experiments.md describes the files. Exit status as for 'gpuvm run'."
        })
final class SpinCommand implements Callable<Integer> {
    private static final String READY = "ready";
    private static final String GO = "go ";
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_US = TimeUnit.MICROSECONDS.toNanos(1);
    private static final int LONGEST_SECONDS = 86_400;
    private static final double HALF = 0.5;
    private static final double NEARLY_ALL = 0.99;
    private static final String ZERO = "0";

    @Spec private CommandSpec spec;

    @Option(
            names = "--length",
            paramLabel = "US",
            required = true,
            description = "GPU time of a command, in us.")
    private long lengthUs;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            required = true,
            description = "Duration in seconds, 1 to 86400.")
    private int seconds;

    @Option(
            names = "--think",
            paramLabel = "US",
            defaultValue = ZERO,
            description = "Pause after each command, in us. Default: ${DEFAULT-VALUE}.")
    private long thinkUs;

    @Option(
            names = "--burst",
            paramLabel = "MS",
            defaultValue = ZERO,
            description =
                    "Duration of activity between two pauses, in ms; 0 for activity without pauses."
                            + " Default: ${DEFAULT-VALUE}.")
    private long burstMs;

    @Option(
            names = "--pause",
            paramLabel = "MS",
            defaultValue = ZERO,
            description = "Duration of a pause between bursts, in ms. Default: ${DEFAULT-VALUE}.")
    private long pauseMs;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Number of commands in flight, each on a separate channel. Default:"
                            + " ${DEFAULT-VALUE}.")
    private int outstanding;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "5000",
            description =
                    "Number of commands of 5 us before the measurement. Default: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(
            names = "--await-go",
            description =
                    "Start at a common time: the program prints 'ready' after the warm-up, and reads"
                            + " a line 'go NANOSECONDS' (the host's monotonic clock) from standard input.")
    private boolean awaitsGo;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Additional file for the figures. Default: none.")
    private Path json;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "File for a line of CSV for each command. Default: none.")
    private Path traceFile;

    @Mixin private GpuAccess gpu;

    @Override
    public Integer call() {
        SpinPlan plan = plan();
        try (ResultFile figures = json == null ? null : ResultFile.create(json);
                ResultFile lines = traceFile == null ? null : ResultFile.create(traceFile)) {
            GpuGuard.use(
                    gpu.opener(),
                    opened -> {
                        try (SpinLoop loop = new SpinLoop(opened.context(), plan)) {
                            SpinTrace trace = run(loop);
                            String text = figures(trace);
                            publish(figures, text);
                            publish(lines, csv(trace));
                            print(text);
                        }
                    });
        }
        return 0;
    }

    private SpinPlan plan() {
        if (seconds < 1 || seconds > LONGEST_SECONDS) {
            throw new ConfigException(
                    "--seconds %d: expected 1 to %d".formatted(seconds, LONGEST_SECONDS));
        }
        if (warmUp < 0) {
            throw new ConfigException("--warm-up %d: expected 0 or more".formatted(warmUp));
        }
        try {
            return new SpinPlan(
                    Duration.of(lengthUs, ChronoUnit.MICROS),
                    Duration.of(thinkUs, ChronoUnit.MICROS),
                    Duration.ofMillis(burstMs),
                    Duration.ofMillis(pauseMs),
                    outstanding);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--" + e.getMessage(), e);
        }
    }

    private SpinTrace run(SpinLoop loop) {
        loop.warmUp(warmUp);
        long fromNs = awaitsGo ? awaitGo() : System.nanoTime();
        return loop.run(fromNs, fromNs + TimeUnit.SECONDS.toNanos(seconds));
    }

    /// Waits for the line that names the start time.
    ///
    /// @return start time, by the host's monotonic clock in nanoseconds
    private long awaitGo() {
        print(READY);
        try {
            String line =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                            .readLine();
            if (line == null || !line.startsWith(GO)) {
                throw new ConfigException(
                        "standard input: %s, expected go NANOSECONDS".formatted(line));
            }
            return Long.parseLong(line.substring(GO.length()).strip());
        } catch (NumberFormatException e) {
            throw new ConfigException("standard input: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(text);
        out.flush();
    }

    private static void publish(ResultFile file, String text) {
        if (file != null) {
            file.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)));
            file.publish();
        }
    }

    private String figures(SpinTrace trace) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("lengthUs", lengthUs);
        all.put("outstanding", outstanding);
        all.put("seconds", seconds);
        all.put("commands", trace.size());
        all.put("gpuSeconds", trace.gpuNs() / NANOS_PER_SECOND);
        putQuantiles(all, "wait", trace, i -> trace.startedNs(i) - trace.submittedNs(i));
        putQuantiles(all, "latency", trace, i -> trace.seenNs(i) - trace.submittedNs(i));
        putQuantiles(
                all, "reaction", trace, i -> trace.seenNs(i) - trace.startedNs(i) - trace.gpuNs(i));
        try {
            return new ObjectMapper().writeValueAsString(all);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void putQuantiles(
            Map<String, Object> all, String name, SpinTrace trace, IntToLongFunction ns) {
        long[] values = new long[trace.size()];
        Arrays.setAll(values, ns);
        Samples samples = Samples.of(values);
        all.put(name + "P50Us", samples.rank(HALF) / NANOS_PER_US);
        all.put(name + "P99Us", samples.rank(NEARLY_ALL) / NANOS_PER_US);
    }

    private static String csv(SpinTrace trace) {
        StringBuilder text = new StringBuilder("submittedNs,startedNs,gpuNs,seenNs");
        for (int i = 0; i < trace.size(); i++) {
            text.append('\n').append(trace.submittedNs(i));
            text.append(',').append(trace.startedNs(i));
            text.append(',').append(trace.gpuNs(i));
            text.append(',').append(trace.seenNs(i));
        }
        return text.toString();
    }
}
