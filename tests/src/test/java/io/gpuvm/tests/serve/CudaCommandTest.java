package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Test of `gpuvm exec-cuda`, the start of a CUDA program.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("commands")
class CudaCommandTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));
    private static final Path LIBRARIES = ROOT.resolve("cuda/client/target/lib");
    private static final Path RUNTIME = ROOT.resolve("cuda/runtime/target/lib");

    /// Exit status of a program that SIGTERM has terminated.
    private static final int TERMINATED = 143;

    /// Exit status of a program that SIGUSR1 has terminated.
    private static final int KILLED_BY_USR1 = 138;

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand command = new GpuvmCommand("exec-cuda");

    @BeforeEach
    void libraryIsBuilt() {
        command.jvmOption("-Dgpuvm.root=" + System.getProperty("gpuvm.root"));
        assumeTrue(Files.exists(LIBRARIES.resolve("libcuda.so.1")), "no C compiler is installed");
    }

    @Test
    void givenSocketOfBackend_whenProgramEnds_thenCommandReturnsItsStatus() throws Exception {
        Process cuda =
                command.start(
                        "--socket",
                        "/nowhere/backend.sock",
                        "--",
                        "sh",
                        "-c",
                        "echo \"$LD_LIBRARY_PATH\"; echo \"$GPUVM_CUDA\"; exit $1",
                        "sh",
                        "7");

        assertEquals(
                List.of(LIBRARIES + ":" + RUNTIME, "unix:/nowhere/backend.sock"), outputOf(cuda));
        assertEquals(7, cuda.waitFor());
    }

    @Test
    void givenProgramWithOptions_whenOptionsResembleThoseOfCommand_thenProgramGetsThem()
            throws Exception {
        Process cuda =
                command.start("--socket", "/nowhere", "echo", "--gpu", "--socket", "-h", "--", "x");

        assertEquals(List.of("--gpu --socket -h -- x"), outputOf(cuda));
        assertEquals(0, cuda.waitFor());
    }

    @Test
    void givenVariableOfBackend_whenProgramRuns_thenVariableIsKeptAndInputIsPassed()
            throws Exception {
        command.environment("GPUVM_CUDA", "unix:/nowhere/own.sock");
        Process cuda = command.start("sh", "-c", "cat; echo \"$GPUVM_CUDA\"; kill -USR1 $$");
        cuda.outputWriter().append("input\n").close();

        assertEquals(List.of("input", "unix:/nowhere/own.sock"), outputOf(cuda));
        assertEquals(KILLED_BY_USR1, cuda.waitFor());
    }

    @Test
    void givenProgramWithRpath_whenLibraryIsThere_thenCommandWarns() throws Exception {
        Path library = Files.createFile(folder.resolve("libcuda.so.1"));
        Path source = Files.writeString(folder.resolve("p.c"), "int main(void) { return 0; }\n");
        Path program = folder.resolve("p");
        List<String> compile = List.of("gcc", "-o", program.toString(), source.toString());
        for (String tags : List.of("--disable-new-dtags", "--enable-new-dtags")) {
            List<String> line = new ArrayList<>(compile);
            line.add("-Wl,-rpath,$ORIGIN," + tags);
            assertEquals(0, new ProcessBuilder(line).inheritIO().start().waitFor());

            Process cuda = command.start("--socket", "/nowhere", program.toString());

            String warning =
                    "gpuvm: warning: %s loads %s, because its RPATH precedes LD_LIBRARY_PATH; remove it: patchelf --remove-rpath %s"
                            .formatted(program, library, program);
            boolean beats = tags.startsWith("--disable");
            assertEquals(beats ? warning : "", GpuvmCommand.errorsOf(cuda), tags);
            assertEquals(0, cuda.waitFor());
        }
    }

    @Test
    void givenMissingProgram_whenStarted_thenCommandFails() throws Exception {
        Process cuda = command.start("--socket", "/nowhere", "--", "/nowhere/program");

        assertEquals(127, cuda.waitFor(), () -> "status of setpriv");
    }

    @Test
    void givenNoSocket_whenProgramRuns_thenBackendExistsForItsDuration() throws Exception {
        Process cuda =
                command.start(
                        "--gpu",
                        "soft,vram=64M",
                        "--",
                        "sh",
                        "-c",
                        "test -S \"${GPUVM_CUDA#unix:}\" && echo \"$GPUVM_CUDA\"");

        List<String> output = outputOf(cuda);
        assertEquals(0, cuda.waitFor(), () -> String.join("\n", output));
        Path socket = Path.of(output.getFirst().replace("unix:", ""));
        assertFalse(Files.exists(socket), "the socket remains");
    }

    @Test
    void givenRunningProgram_whenCommandIsTerminated_thenProgramEndsFirst() throws Exception {
        Path ended = folder.resolve("ended");
        Process cuda =
                command.start(
                        "--gpu",
                        "soft,vram=64M",
                        "--",
                        "sh",
                        "-c",
                        "trap 'test -S \"${GPUVM_CUDA#unix:}\" && touch \"$1\"; exit' TERM;"
                                + " echo started; while :; do sleep 0.05; done",
                        "sh",
                        ended.toString());
        BufferedReader output = cuda.inputReader();
        assertEquals("started", output.readLine());

        cuda.destroy();

        assertEquals(TERMINATED, cuda.waitFor());
        assertTrue(Files.exists(ended), "the program ended while its backend was running");
    }

    private static List<String> outputOf(Process process) throws IOException {
        try (BufferedReader output = process.inputReader()) {
            return output.readAllLines();
        }
    }
}
