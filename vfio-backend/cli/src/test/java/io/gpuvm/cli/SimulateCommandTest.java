package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.simulate.SpinRecording;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class SimulateCommandTest {
    private final Shell shell = new Shell();

    @TempDir private Path folder;

    @Test
    void givenShortAndLongCommands_whenSimulated_thenOnlyFifoStarvesShortCommands()
            throws Exception {
        Path json = folder.resolve("out.json");

        assertEquals(0, shell.run("simulate", "--policy", "fifo", "--json", json));
        assertTrue(share(json, 0) < 0.05, () -> shell.out());

        assertEquals(0, shell.run("simulate", "--policy", "fair", "--json", json));
        assertEquals(0.5, share(json, 0), 0.02);
    }

    @Test
    void givenCsv_whenSimulated_thenEachIntervalHasLinePerMachine() throws Exception {
        Path csv = folder.resolve("out.csv");

        assertEquals(0, shell.run("simulate", "--vms", 4, "--seconds", 2, "--csv", csv));

        assertEquals(1 + 20 * 4, Files.readAllLines(csv).size());
    }

    @Test
    void givenRecording_whenSimulated_thenSharesAndDecisionsAreCompared() throws Exception {
        Path recording = SpinRecording.make(folder, PolicyKind.FAIR);
        Path json = folder.resolve("out.json");

        int same = shell.run("simulate", "--recording", recording, "--check", "--json", json);

        assertEquals(0, same, () -> shell.err());
        JsonNode all = new ObjectMapper().readTree(json.toFile());
        assertEquals(all.path("decisions").asLong(), all.path("sameDecisions").asLong());
        assertTrue(all.at("/vms/0/recordedShare").asDouble() > 0);

        // A simulation is rarely exact to the last digit, and never wrong by more than 100 percent.
        assertEquals(0, shell.run("simulate", "--recording", recording, "--within", 100));
        double difference = all.get("largestShareDifferencePct").asDouble();
        assertEquals(
                difference == 0 ? 0 : 1,
                shell.run("simulate", "--recording", recording, "--within", difference / 2));
    }

    @ParameterizedTest
    @CsvSource({
        "--vms, 0, expected 1 to 100000",
        "--short, 0, expected 1 to 60000000",
        "--policy, lottery, lottery",
        "--think, soon, expected US or US-US",
    })
    void givenInvalidValue_whenCalled_thenErrorNamesValueAndLimit(
            String option, String value, String limit) {
        assertEquals(2, shell.run("simulate", option, value));
        assertTrue(shell.err().contains(option + " " + value), () -> shell.err());
        assertTrue(shell.err().contains(limit), () -> shell.err());
    }

    private static double share(Path json, int vm) throws Exception {
        return new ObjectMapper().readTree(json.toFile()).at("/vms/" + vm + "/share").asDouble();
    }
}
