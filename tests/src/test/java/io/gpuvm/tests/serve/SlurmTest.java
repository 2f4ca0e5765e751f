package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.cuda.ProgramsInC;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Test of jobs on a Slurm cluster of this host, whose GPUs are those of backends
/// (`docs/cluster.md`).
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("commands")
class SlurmTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));

    /// Exit status of the script if this host lacks a requirement.
    private static final int REQUIREMENT_IS_MISSING = 3;

    @TempDir private Path folder;
    private Process process;

    @BeforeEach
    void hostIsSuitable() throws IOException {
        assumeTrue(
                (Integer) Files.getAttribute(folder, "unix:uid") == 0,
                "jobs of several users require root");
        assumeTrue(
                Files.exists(ROOT.resolve("cuda/client/target/lib/libcuda.so.1")),
                "no C compiler is installed");
        assumeTrue(
                Files.exists(ROOT.resolve("vfio-backend/cli/target/lib")),
                "the command line is not packaged");
    }

    @AfterEach
    void endCluster() throws InterruptedException {
        if (process != null && process.isAlive()) {
            // The script ends the daemons.
            process.destroy();
            process.waitFor(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void givenCluster_whenJobsEndAndCrash_thenResultsAreRightAndNothingIsLeft() throws Exception {
        run();
    }

    @Tag("long")
    @Test
    void givenPrologThatAttachesNothing_whenJobsRun_thenEachScenarioFails() throws Exception {
        run("--negative");
    }

    @Tag("long")
    @Test
    void givenCluster_whenFiftyJobsRun_thenEachResultIsRightAndNothingIsLeft() throws Exception {
        run("--long");
    }

    private void run(String... arguments) throws IOException, InterruptedException {
        ProgramsInC programs = ProgramsInC.prepare();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                ROOT.resolve("tests/slurm/run").toString(),
                                "--programs",
                                programs.folder().toString(),
                                "--modules",
                                programs.modules().toString()));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        Path errors = folder.resolve("errors");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile());
        builder.environment().put("GPUVM_JAVA_HOME", System.getProperty("java.home"));
        process = builder.start();
        int status = process.waitFor();
        assumeTrue(status != REQUIREMENT_IS_MISSING, Files.readString(errors));
        List<String> lines = Files.readAllLines(output);
        assertTrue(!lines.isEmpty(), Files.readString(errors));
        JsonNode report = new ObjectMapper().readTree(lines.getLast());
        assertEquals(
                "pass",
                report.get("result").asText(),
                String.join("\n", lines) + Files.readString(errors));
        assertEquals(0, status);
    }
}
