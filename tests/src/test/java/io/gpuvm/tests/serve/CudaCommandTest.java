package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.guests.cuda.ProgramProcess;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        // Background jobs of shells ignore some signals, and a shell cannot undo that.
        command.starter("env", "--default-signal=HUP,INT,QUIT", ProgramProcess.file().toString());
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

        assertEquals(
                "gpuvm: /nowhere/program: No such file or directory", GpuvmCommand.errorsOf(cuda));
        assertEquals(127, cuda.waitFor());
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

    /// Program that waits for a signal, checks that its backend runs, and exits with status 9.
    private static final String WAITING =
            """
            for s in HUP INT QUIT TERM USR1 USR2; do
              trap "test -S \\"${GPUVM_CUDA#unix:}\\" && echo $s; exit 9" $s
            done
            echo started
            while :; do sleep 0.05; done
            """;

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "USR1"})
    void givenRunningProgram_whenCommandGetsSignal_thenProgramGetsItWhileBackendRuns(String signal)
            throws Exception {
        requireSignal(signal);
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"HUP", "INT", "QUIT", "USR2"})
    void givenRunningProgram_whenCommandGetsOtherSignal_thenProgramGetsItWhileBackendRuns(
            String signal) throws Exception {
        requireSignal(signal);
    }

    private void requireSignal(String signal) throws Exception {
        Process cuda = command.start("--gpu", "soft,vram=64M", "--", "sh", "-c", WAITING);
        BufferedReader output = cuda.inputReader();
        assertEquals("started", output.readLine());

        send(signal, cuda.pid());

        assertEquals(signal, output.readLine());
        assertEquals(9, cuda.waitFor());
    }

    @Test
    void givenProgramThatHandlesNoSignal_whenCommandIsTerminated_thenStatusNamesSignal()
            throws Exception {
        Process cuda = command.start("--socket", "/nowhere", "--", "sh", "-c", "echo; sleep 60");
        assertEquals("", cuda.inputReader().readLine());

        cuda.destroy();

        assertEquals(TERMINATED, cuda.waitFor());
    }

    @Test
    void givenTerminal_whenInterrupted_thenProgramGetsOneSignalWhileBackendRuns() throws Exception {
        Path program = Files.writeString(folder.resolve("program"), WAITING);
        List<String> words =
                new ArrayList<>(List.of("script", "--quiet", "--return", "--flush", "--command"));
        List<String> cuda = command.words("--gpu", "soft,vram=64M", "--", "sh", "" + program);
        // A shell between them would report its own interruption instead of the status.
        words.add("exec " + String.join(" ", cuda));
        words.add("/dev/null");
        Process terminal = new ProcessBuilder(words).redirectErrorStream(true).start();
        try {
            BufferedReader output = terminal.inputReader();
            assertEquals("started", output.readLine());

            terminal.outputWriter().append('\003').flush();

            assertEquals(List.of("^CINT"), output.readAllLines());
            assertEquals(9, terminal.waitFor());
        } finally {
            terminal.destroyForcibly();
        }
    }

    @Test
    void givenRunningProgram_whenCommandIsKilled_thenProgramAndBackendEnd() throws Exception {
        Process cuda =
                command.start(
                        "--gpu",
                        "soft,vram=64M",
                        "--",
                        "sh",
                        "-c",
                        "echo $$ \"$GPUVM_CUDA\"; exec sleep 600");
        String[] words = cuda.inputReader().readLine().split(" ");
        Path socket = Path.of(words[1].replace("unix:", ""));

        send("KILL", cuda.pid());

        ProcessHandle.of(Long.parseLong(words[0])).ifPresent(handle -> handle.onExit().join());
        while (Files.exists(socket.getParent())) {
            Thread.onSpinWait();
        }
    }

    private static void send(String signal, long process) throws Exception {
        List<String> kill = List.of("kill", "-" + signal, Long.toString(process));
        assertEquals(0, new ProcessBuilder(kill).inheritIO().start().waitFor());
    }

    private static List<String> outputOf(Process process) throws IOException {
        try (BufferedReader output = process.inputReader()) {
            return output.readAllLines();
        }
    }
}
