package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Test of a backend and a guest in C, each in a separate process. The guest shares only the text
/// of `docs/pv-protocol.md` with this project.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("commands")
class PvClientTest {
    private static final String SOURCE = "tests/pv-client/client.c";

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand command = new GpuvmCommand("serve");

    @Test
    void givenGuestInC_whenGuestUsesProtocol_thenBackendConforms() throws Exception {
        Path client = CProgram.compile(SOURCE, folder);
        Path socket = folder.resolve("pv.sock");
        Process serve = command.start("--vm", "pv,mode=pv,socket=" + socket);
        try (BufferedReader out = serve.inputReader()) {
            assertEquals("ready", out.readLine());
            // The second guest receives the resources of the first.
            for (int i = 0; i < 2; i++) {
                assertEnds(client.toString(), socket.toString());
            }
        }
    }

    private void assertEnds(String... program) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(program)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            int status = process.waitFor();
            assertEquals(0, status, Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }
}
