package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.guests.cuda.CudaLibrary;
import io.gpuvm.guests.cuda.ProgramsInC;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.ServerProcess;
import io.gpuvm.guests.real.ServerStart;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of CUDA programs in C that use a backend through `gpuvm connect`, and through a line that
/// breaks. The programs verify their results.
@Tag("commands")
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class RemoteCudaTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));
    private static final int SESSIONS = 2;
    private static final int USUAL_GRACE_SECONDS = 20;
    private static final String LOCALHOST = "127.0.0.1";

    /// Backend process, and the port on which it listens.
    private record Backend(Process process, RunFolder folder, int port) {
        static Backend start(Children children) throws Exception {
            RunFolder folder = new RunFolder(false);
            int port = freePort();
            Process process =
                    ServerStart.start(
                            List.of(
                                    "serve",
                                    "--gpu",
                                    "soft,vram=256M",
                                    "--vm",
                                    "a,mode=cuda,sessions=%d,socket=%s"
                                            .formatted(SESSIONS, folder.socket("a")),
                                    "--listen",
                                    "tcp:%s:%d".formatted(LOCALHOST, port)),
                            ServerProcess.DEFAULT,
                            folder,
                            children,
                            _ -> {});
            return new Backend(process, folder, port);
        }
    }

    private static ProgramsInC programs;
    private static Children backends;

    /// Backend of all tests but one.
    private static Backend backend;

    private final RunFolder agentFolder = new RunFolder(false);
    private final Children children = new Children();

    @TempDir private Path temporary;

    @BeforeAll
    static void startBackend() throws Exception {
        assumeTrue(
                Files.exists(ROOT.resolve("cuda/client/target/lib/libcuda.so.1")),
                "no C compiler is installed");
        programs = ProgramsInC.prepare();
        backends = new Children();
        backend = Backend.start(backends);
    }

    @AfterAll
    static void endBackend() {
        if (backend != null) {
            backends.close();
            backend.folder().close();
        }
    }

    @AfterEach
    void end() {
        children.close();
        agentFolder.close();
    }

    /// Returns a port that was free a moment ago.
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(LOCALHOST))) {
            return socket.getLocalPort();
        }
    }

    private Path connect(String vm, int to) throws InterruptedException {
        return connect(vm, to, USUAL_GRACE_SECONDS);
    }

    private Path connect(String vm, int to, int graceSeconds) throws InterruptedException {
        Path socket = agentFolder.socket("agent");
        ServerStart.start(
                List.of(
                        "connect",
                        "tcp:%s:%d".formatted(LOCALHOST, to),
                        "--vm",
                        vm,
                        "--socket",
                        socket.toString(),
                        "--grace",
                        "" + graceSeconds),
                ServerProcess.DEFAULT,
                agentFolder,
                children,
                _ -> {});
        return socket;
    }

    private Process start(Path socket, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .putAll(CudaLibrary.ofThisBuild().environment(socket, System.getenv()));
        return builder.start();
    }

    private Process sequence(Path socket, int seconds, int seed) throws IOException {
        return start(
                socket,
                List.of(
                        programs.folder().resolve("sequence").toString(),
                        programs.modules().toString(),
                        "" + seconds,
                        "" + seed));
    }

    private static void requirePass(Process program) throws Exception {
        String output = outputOf(program);
        assertEquals(0, program.waitFor(), output);
    }

    private static String outputOf(Process program) throws IOException {
        try (BufferedReader output = program.inputReader()) {
            return String.join("\n", output.readAllLines());
        }
    }

    @Test
    void givenTwoPrograms_whenTheyRunAtOnce_thenResultsAreRightAndSessionsAreUsedAgain()
            throws Exception {
        Path socket = connect("a", backend.port());
        List<String> workloads = new ArrayList<>(programs.workloads("mmul=96"));
        workloads.addAll(List.of("lud=64", "cpy=3", "pincpy=3", "nop=100", "delay=1"));
        for (int round = 0; round < SESSIONS; round++) {
            Process one = sequence(socket, 1, round);
            Process two = start(socket, workloads);
            requirePass(one);
            requirePass(two);
        }
    }

    @Test
    void givenUnknownVirtualMachine_whenProgramStarts_thenItFailsWithReasonInLog()
            throws Exception {
        Path socket = connect("nobody", backend.port());

        assertNotEquals(0, sequence(socket, 1, 1).waitFor());

        List<String> log = Files.readAllLines(agentFolder.serverLog());
        assertTrue(
                log.stream().anyMatch(line -> line.contains("no virtual machine nobody")),
                () -> String.join("\n", log));
    }

    @Test
    void givenRunningProgram_whenBackendIsKilled_thenProgramFailsAndLaterOnesAreRefused()
            throws Exception {
        Backend other = Backend.start(children);
        Path socket = connect("a", other.port(), 1);
        Process program = sequence(socket, 100, 1);
        while (!Files.readString(agentFolder.serverLog()).contains("connected")) {
            Thread.sleep(20);
        }

        other.process().destroyForcibly();

        String output = outputOf(program);
        assertEquals(1, program.waitFor(), output);
        assertTrue(output.contains("FAILED"), output);
        assertNotEquals(0, sequence(socket, 1, 1).waitFor());
        other.folder().close();
    }

    @Test
    void givenLineThatBreaks_whenProgramRuns_thenNoCallIsLostOrRepeated() throws Exception {
        // A break can last for as long as the program runs.
        runOverBreaks(1, 6, 5, 1);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void givenManyBreaks_whenProgramRuns_thenNoCallIsLostOrRepeated(int seed) throws Exception {
        runOverBreaks(seed, 20, 35, 15);
    }

    /// @param fewest minimum number of breaks while the program runs
    private void runOverBreaks(int seed, int breaks, int seconds, int fewest) throws Exception {
        Path relay = CProgram.compile("tests/remote/relay.c", temporary);
        Process line =
                children.startTalking(
                        List.of(
                                relay.toString(),
                                "0",
                                LOCALHOST + ":" + backend.port(),
                                "--breaks",
                                "%d,%d,500".formatted(seed, breaks)),
                        temporary.resolve("relay.log"));
        BufferedReader reports = line.inputReader();
        int relayed = Integer.parseInt(reports.readLine().replace("port=", ""));

        requirePass(sequence(connect("a", relayed), seconds, seed));

        int broken = 0;
        while (reports.ready()) {
            broken += reports.readLine().startsWith("break ") ? 1 : 0;
        }
        assertTrue(broken >= fewest, "breaks: " + broken);
    }
}
