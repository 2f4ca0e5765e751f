package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Test of hostile CUDA clients beside CUDA programs that verify their results.
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("commands")
@Tag("alone")
class HostileCudaTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));
    private static final Path LIBRARY = ROOT.resolve("cuda/client/target/lib/libcuda.so.1");

    @RegisterExtension private final GpuvmCommand command = new GpuvmCommand("hostile-cuda");

    @BeforeEach
    void libraryIsBuilt() {
        command.jvmOption("-Dgpuvm.root=" + ROOT);
        assumeTrue(Files.exists(LIBRARY), "no C compiler is installed");
    }

    @Test
    void givenProgramsThatVerify_whenCallsAreInvalid_thenNothingIsDisturbed() throws Exception {
        JsonNode report = run("--brief", "tags", "arguments", "handles", "ranges", "fences");

        assertEquals(0, report.path("failed").asInt(), report::toString);
    }

    @Test
    @Tag("long")
    void givenProgramsThatVerify_whenClientsAttackBriefly_thenNothingIsDisturbedOrLeftInUse()
            throws Exception {
        assertPasses("--brief");
    }

    @Test
    @Tag("long")
    void givenProgramsThatVerify_whenClientsAttackForLong_thenNothingIsDisturbedOrLeftInUse()
            throws Exception {
        assertPasses();
    }

    @Test
    @Tag("long")
    void givenWrongExpectations_whenClientsAttack_thenEachPartFails() throws Exception {
        assertPasses("--negative");
    }

    private void assertPasses(String... arguments) throws Exception {
        JsonNode report = run(arguments);

        assertEquals("pass", report.path("result").asText(), report::toString);
    }

    /// Returns the report in the last line of the command's output.
    private JsonNode run(String... arguments) throws Exception {
        Process process = command.start(arguments);
        String last = "";
        try (BufferedReader out = process.inputReader()) {
            List<String> lines = out.readAllLines();
            last = lines.isEmpty() ? "" : lines.getLast();
        }
        String errors = GpuvmCommand.errorsOf(process);
        JsonNode report = new ObjectMapper().readTree(last);
        assertTrue(report.hasNonNull("result"), errors);
        boolean passed = report.path("result").asText().equals("pass");
        assertEquals(passed ? 0 : 1, process.waitFor(), errors);
        return report;
    }
}
