package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.evaluation.data.Evaluation;
import io.gpuvm.evaluation.data.EvaluationJson;
import io.gpuvm.evaluation.data.WorkloadSample;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.ThisBuild;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Interruption of an evaluation by a signal, and its continuation.
@Tag("commands")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ResumeTest {
    private static final int ROUNDS = 4;
    private static final List<String> WORKLOADS = List.of("madd", "nop");

    /// Exit status after SIGINT.
    private static final int INTERRUPTED = 130;

    @TempDir private Path folder;
    private Process process;

    @AfterEach
    void end() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void givenInterruptedEvaluation_whenResumed_thenOnlyMissingSamplesAreAdded() throws Exception {
        Path results = folder.resolve("results");
        process = start(results);
        awaitSamples(results);
        List<ProcessHandle> children = process.descendants().toList();
        assertFalse(children.isEmpty());

        signal("INT");

        assertEquals(INTERRUPTED, process.waitFor(), () -> read(folder.resolve("log")));
        children.forEach(each -> assertFalse(each.isAlive(), each::toString));
        List<WorkloadSample> earlier = samples(results);
        assertTrue(earlier.size() < ROUNDS * WORKLOADS.size(), () -> "samples=" + earlier.size());

        StringWriter output = new StringWriter();
        CommandLine command = EvaluateMain.commandLine(false);
        command.setOut(new PrintWriter(output, true));
        command.setErr(new PrintWriter(output, true));
        command.execute("--resume", results.toString());

        Evaluation evaluation = EvaluationJson.read(results.resolve("evaluation.json"));
        assertEquals(earlier, evaluation.samples().subList(0, earlier.size()));
        for (int round = 0; round < ROUNDS; round++) {
            for (String workload : WORKLOADS) {
                assertMeasuredUntilValid(evaluation, workload, round);
            }
        }
        assertEquals(ROUNDS, evaluation.queueDelays().size(), output::toString);
    }

    /// Asserts that a workload has samples in a round, and no sample after a valid sample.
    private static void assertMeasuredUntilValid(
            Evaluation evaluation, String workload, int round) {
        List<WorkloadSample> all =
                evaluation.samples().stream()
                        .filter(each -> each.workload().equals(workload) && each.round() == round)
                        .toList();
        assertFalse(all.isEmpty(), () -> workload + ", round " + round);
        assertTrue(
                all.subList(0, all.size() - 1).stream().noneMatch(WorkloadSample::valid),
                all::toString);
    }

    private Process start(Path results) throws IOException {
        // Processes of background jobs may start with SIGINT ignored, so it is set to its default
        // action.
        List<String> command = new ArrayList<>(List.of("/usr/bin/env", "--default-signal=INT"));
        command.addAll(
                ThisBuild.java(
                        EvaluateMain.class.getName(),
                        List.of(
                                JvmOptions.kernels(),
                                "-Dgpuvm.root=" + System.getProperty("gpuvm.root")),
                        List.of(
                                "--quick",
                                "--only",
                                "native",
                                "--workloads",
                                String.join(",", WORKLOADS),
                                "--rounds",
                                ROUNDS + ",1",
                                "--attempts",
                                "1",
                                "--no-sharing",
                                "--out",
                                results.toString())));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(folder.resolve("log").toFile()))
                .start();
    }

    private void awaitSamples(Path results) throws InterruptedException {
        while (samples(results).isEmpty()) {
            assertFalse(
                    process.waitFor(10, TimeUnit.MILLISECONDS), () -> read(folder.resolve("log")));
        }
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
        assertEquals(0, kill.waitFor());
    }

    /// Returns the samples whose records are completely written.
    private static List<WorkloadSample> samples(Path results) {
        String text = read(results.resolve("samples.jsonl"));
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(line -> EvaluationJson.parse(line, WorkloadSample.class))
                .toList();
    }

    /// Returns the content of a file; empty if the file does not exist.
    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
