package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
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

/// Tests of paravirtual programs whose backend is reached over a network: `gpuvm serve --listen`,
/// `gpuvm connect` and the programs are separate processes.
@Timeout(value = 4, unit = TimeUnit.MINUTES)
@Tag("commands")
class RemotePvTest {
    private static final String CLIENT = "tests/pv-client/client.c";

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand serve = new GpuvmCommand("serve");
    @RegisterExtension private final GpuvmCommand connect = new GpuvmCommand("connect");
    @RegisterExtension private final GpuvmCommand run = new GpuvmCommand("run");

    private Path socket;

    @BeforeEach
    void start() throws IOException {
        socket = folder.resolve("r.sock");
        Process backend =
                serve.start(
                        "--vm",
                        "a,mode=pv,data=64M,socket=" + folder.resolve("a.sock"),
                        "--listen",
                        "tcp:127.0.0.1:0");
        String address = backend.inputReader().readLine();
        if (address == null || !address.startsWith("listen=tcp:127.0.0.1:")) {
            fail(address + GpuvmCommand.errorsOf(backend));
        }
        awaitReady(backend);
        awaitReady(
                connect.start(
                        address.substring("listen=".length()),
                        "--vm",
                        "a",
                        "--socket",
                        socket.toString()));
    }

    /// The workloads verify their results.
    @Test
    void givenBackendOnNetwork_whenTwoProgramsRunAtOnce_thenAllResultsAreCorrect()
            throws Exception {
        List<Process> programs = new ArrayList<>();
        for (List<String> workloads : List.of(List.of("mmul", "madd"), List.of("lud", "srad"))) {
            List<String> arguments = new ArrayList<>(List.of("--socket", socket.toString()));
            arguments.addAll(workloads);
            programs.add(run.start(arguments.toArray(String[]::new)));
        }
        assertSucceeds(programs);
    }

    @Test
    void givenBackendOnNetwork_whenGuestInCUsesProtocol_thenBackendConforms() throws Exception {
        Path client = CProgram.compile(CLIENT, folder);
        // The second guest receives the resources of the first.
        for (int i = 0; i < 2; i++) {
            Process process =
                    new ProcessBuilder(client.toString(), socket.toString())
                            .redirectErrorStream(true)
                            .start();
            try {
                assertSucceeds(List.of(process));
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static void assertSucceeds(List<Process> programs) throws Exception {
        for (Process program : programs) {
            String output = new String(program.getInputStream().readAllBytes());
            String errors = GpuvmCommand.errorsOf(program);
            assertEquals(0, program.waitFor(), output + errors);
        }
    }

    private static void awaitReady(Process process) throws IOException {
        BufferedReader out = process.inputReader();
        String line = out.readLine();
        if (!"ready".equals(line)) {
            assertEquals("ready", line, GpuvmCommand.errorsOf(process));
        }
    }
}
