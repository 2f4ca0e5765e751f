package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.evaluation.data.Evaluation;
import io.gpuvm.evaluation.data.EvaluationJson;
import io.gpuvm.evaluation.data.WorkloadSample;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Runs of the command, with real programs and backends. On a busy host, samples may be invalid;
/// the tests therefore require results, not their validity.
class EvaluateCommandTest {
    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    @Tag("commands")
    void givenProcesses_whenEvaluated_thenEveryResultAndReportAreWritten() throws Exception {
        Path results = folder.resolve("results");

        int status = evaluate(results, "native,pv-process,pv-process-single,cuda-process");

        Evaluation evaluation = EvaluationJson.read(results.resolve("evaluation.json"));
        assertEquals(evaluation.result().equals("pass") ? 0 : 1, status, all());
        assertOnlyInvalid(evaluation);
        for (String configuration : List.of("native", "pv-process", "pv-process-single")) {
            WorkloadSample mmul = sample(evaluation, configuration, "mmul");
            assertTrue(mmul.phasesNs().launch() > 0, all());
            assertTrue(mmul.gpu().launchBusyNs() > 0, all());
            assertEquals(1, mmul.counts().get("computeLaunches"), all());
            assertEquals(1, mmul.phaseCounts().get("launch").get("computeLaunches"), all());
        }
        assertEquals(100, sample(evaluation, "native", "nop").counts().get("computeLaunches"));
        assertTrue(sample(evaluation, "pv-process-single", "nop").counts().get("ringEntries") > 0);
        WorkloadSample inC = sample(evaluation, "cuda-process", "mmul");
        assertTrue(inC.phasesNs().launch() > 0, all());
        assertEquals(1, inC.phaseCounts().get("launch").get("computeLaunches"), all());
        assertTrue(
                evaluation.samples().stream()
                        .noneMatch(each ->
                                each.configuration().equals("cuda-process")
                                        && each.workload().equals("madd")),
                all());
        assertEquals(List.of("madd"), evaluation.configurations().getLast().absent());
        assertEquals(
                Set.of("native", "pv-process", "pv-process-single", "cuda-process"),
                copied(evaluation));
        assertEquals(4, evaluation.queueDelays().size(), all());
        assertEquals(9, evaluation.transfers().size(), all());
        evaluation
                .transfers()
                .forEach(each -> assertTrue(each.share() > 0 && each.share() < 1, each::toString));
        assertTrue(Files.size(results.resolve("samples.csv")) > 0);
        Path page = results.resolve("report/index.html");
        byte[] report = Files.readAllBytes(page);
        Files.delete(page);
        assertEquals(0, run("--report", results.toString()), all());
        assertArrayEquals(report, Files.readAllBytes(page));
        assertEquals("mmul", evaluation.workloads().getFirst().name());
        assertEquals(1, evaluation.workloads().getFirst().work().launches());
    }

    @Test
    void givenWrongArguments_whenEvaluated_thenExitStatusIs2() {
        assertEquals(2, run("--only", "xen"), all());
        assertEquals(2, run("--rounds", "1"), all());
        assertEquals(2, run("--resume", folder.toString(), "--out", "x"), all());
        assertEquals(2, run("--resume", folder.toString()), all());
        assertEquals(2, run("--resume", folder.toString(), "--quick"), all());
        assertTrue(err.toString().contains("--resume: not valid with --quick"), all());
        assertEquals(2, run("--workloads", "sort"), all());
        assertEquals(2, run("--report", folder.toString(), "--seed", "2"), all());
        assertEquals(2, run("--report", folder.toString()), all());
        assertTrue(err.toString().contains("the folder has no file evaluation.json"), all());
    }

    @Test
    @Tag("long")
    void givenMachines_whenEvaluated_thenEveryConfigurationHasSamplesAndTraps() throws Exception {
        Path results = folder.resolve("results");

        evaluate(results, "pt-trapped,pt-mapped,fv-lazy,fv-optimized,pv-machine,cuda-machine");

        Evaluation evaluation = EvaluationJson.read(results.resolve("evaluation.json"));
        for (String configuration :
                List.of(
                        "pt-trapped",
                        "pt-mapped",
                        "fv-lazy",
                        "fv-optimized",
                        "pv-machine",
                        "cuda-machine")) {
            WorkloadSample mmul = sample(evaluation, configuration, "mmul");
            assertEquals(1, mmul.counts().get("computeLaunches"), all());
        }
        assertOnlyInvalid(evaluation);
        assertTrue(sample(evaluation, "fv-lazy", "mmul").counts().containsKey("shadowings"));
        assertEquals(6, evaluation.starts().size(), all());
    }

    private int evaluate(Path results, String only) {
        return run(
                "--quick",
                "--only",
                only,
                "--workloads",
                "mmul,nop,madd",
                "--rounds",
                "1,1",
                "--attempts",
                "1",
                "--no-sharing",
                "--out",
                results.toString());
    }

    private int run(String... arguments) {
        CommandLine command = EvaluateMain.commandLine(false);
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    /// Asserts that every gap is due to other load on the host.
    private void assertOnlyInvalid(Evaluation evaluation) {
        evaluation
                .gaps()
                .forEach(gap ->
                        assertTrue(gap.reason().startsWith("no valid run in 1 attempts"), all()));
    }

    private WorkloadSample sample(Evaluation evaluation, String configuration, String workload) {
        return evaluation.samples().stream()
                .filter(each ->
                        each.configuration().equals(configuration)
                                && each.workload().equals(workload))
                .findFirst()
                .orElseThrow(() -> new AssertionError(all()));
    }

    private static Set<String> copied(Evaluation evaluation) {
        return evaluation.copies().stream()
                .map(each -> each.configuration())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private String all() {
        return out + "\n" + err;
    }
}
