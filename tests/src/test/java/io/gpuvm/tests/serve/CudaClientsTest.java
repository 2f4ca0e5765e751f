package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Test of CUDA programs and libraries of other projects, as processes of one backend.
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("commands")
class CudaClientsTest {
    private static final Path LIBRARY =
            Path.of(System.getProperty("gpuvm.root"), "cuda/client/target/lib/libcuda.so.1");

    /// Client with NVIDIA's runtime, which asks for more than a hundred facts at its start.
    private static final String RUNTIME = "jcuda-runtime-11.1.1";

    /// Clients with small downloads: one of each kind.
    private static final List<String> SMALL =
            List.of("c-lud", "jcuda-driver-12.6.0", RUNTIME, "lwjgl-3.3.6");

    /// Clients of the negative control, each of which runs up to three times.
    private static final List<String> CONTROL =
            List.of("--negative", "c-vectoradd", "jcuda-driver-12.6.0");

    /// Messages before the first allocation: Connect with all facts of the device, and the creation
    /// of a context.
    private static final int START_UP_MESSAGES = 2;

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand command = new GpuvmCommand("cuda-clients");

    @BeforeEach
    void libraryIsBuilt() {
        command.jvmOption("-Dgpuvm.root=" + System.getProperty("gpuvm.root"));
        assumeTrue(Files.exists(LIBRARY), "no C compiler is installed");
    }

    @Test
    void givenPrograms_whenRun_thenResultsAreRight() throws Exception {
        JsonNode report = run(SMALL);

        for (JsonNode client : report.get("clients")) {
            assertTrue(client.get("calls").size() >= 10, client::toString);
            if (client.get("name").asText().equals(RUNTIME)) {
                assertTrue(client.at("/startUp/calls").asInt() >= 100, client::toString);
                assertEquals(START_UP_MESSAGES, client.at("/startUp/messages").asInt());
            }
        }
    }

    @Test
    void givenCallsWithoutEffects_whenProgramsRun_thenEachProgramFails() throws Exception {
        run(CONTROL);
    }

    @Tag("long")
    @Test
    void givenAllClients_whenRun_thenResultsAreRight() throws Exception {
        JsonNode report = run(List.of());

        assertTrue(report.get("complete").asBoolean());
    }

    @Tag("long")
    @Test
    void givenCallsWithoutEffects_whenAllClientsRun_thenEachClientFails() throws Exception {
        run(List.of("--negative"));
    }

    /// Runs clients, and checks that none failed. Aborts the test if a client could not be
    /// downloaded.
    private JsonNode run(List<String> arguments) throws IOException, InterruptedException {
        Process process = command.start(arguments.toArray(String[]::new));
        Path errors = folder.resolve("errors");
        Thread copier = Thread.ofPlatform().daemon().start(() -> copy(process, errors));
        List<String> output;
        try (BufferedReader reader = process.inputReader()) {
            output = reader.readAllLines();
        }
        int status = process.waitFor();
        copier.join();
        assertTrue(!output.isEmpty(), () -> read(errors));
        JsonNode report = new ObjectMapper().readTree(output.getLast());
        assertEquals(
                0, report.get("failed").asInt(), () -> String.join("\n", output) + read(errors));
        assumeTrue(report.get("skipped").asInt() == 0, output::toString);
        assertEquals(0, status, output::toString);
        assertEquals("pass", report.get("result").asText());
        return report;
    }

    private static void copy(Process process, Path file) {
        try {
            Files.copy(process.getErrorStream(), file);
        } catch (IOException _) {
            // The process was killed.
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
