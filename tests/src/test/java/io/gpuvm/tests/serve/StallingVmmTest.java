package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.linux.MemoryFile;
import io.gpuvm.trap.client.VfioUserClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Tests of a VMM that blocks the thread that serves it. A neighbour must not be affected, and the
/// backend must still shut down. Each VMM and the backend is a separate process.
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@Tag("commands")
class StallingVmmTest {
    private static final String SOURCE = "tests/hostile-guest/stalling-vmm.c";

    /// Exit status of the client if no FUSE file system can be mounted.
    private static final int SKIPPED = 77;

    /// Exit status of a JVM after a normal shutdown by SIGTERM.
    private static final int TERMINATED = 128 + 15;

    /// Limit in seconds, longer than the shutdown of all threads of a backend.
    private static final long END_LIMIT_S = 60;

    private static final int BAR0 = 0;
    private static final int ACCESSES = 100;

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand command = new GpuvmCommand("serve");
    private Process serve;
    private Process client;

    /// Kills the client, which ends its file system and all waits for that file system.
    @AfterEach
    void end() {
        if (client != null) {
            client.destroyForcibly();
        }
    }

    @Test
    void givenMemoryWithBlockedPages_whenMapped_thenMemoryIsRefusedAndBackendEnds()
            throws Exception {
        serve("hostile,mode=passthrough");
        try (BufferedReader said = stall("memory")) {
            assertEquals("fuse: refused", said.readLine());
            String other = said.readLine();
            assertTrue(
                    other != null && other.startsWith("memfd") && other.endsWith(": accepted"),
                    other);
            String errors = endBackend();
            assertTrue(errors.contains("expected " + MemoryFile.ACCEPTED), errors);
            endClient();
        }
    }

    @Test
    void givenBlockingInterrupt_whenSignalled_thenNeighbourIsServedAndBackendEnds()
            throws Exception {
        serve("hostile,mode=fv", "neighbour,mode=fv");
        try (BufferedReader said = stall("event")) {
            assertEquals("event: signalled", said.readLine());
            assertNeighbourIsServed();
            endBackend();
            endClient();
        }
    }

    /// Tests a descriptor whose file system delays its close. The backend cannot prevent the delay,
    /// because Linux closes all descriptors of a process before the process ends.
    @Test
    void givenFileWithBlockedClose_whenSent_thenNeighbourIsServedAndBackendEndsAfterClient()
            throws Exception {
        serve("hostile,mode=fv", "neighbour,mode=fv");
        try (BufferedReader said = stall("close")) {
            assertEquals("file: sent", said.readLine());
            assertNeighbourIsServed();
            terminate();
            endClient();
            endBackend();
        }
    }

    private void serve(String... vms) throws IOException {
        String[] arguments = new String[2 * vms.length];
        for (int i = 0; i < vms.length; i++) {
            arguments[2 * i] = "--vm";
            arguments[2 * i + 1] = vms[i] + ",socket=" + socket(vms[i].split(",")[0]);
        }
        serve = command.start(arguments);
        assertEquals("ready", serve.inputReader().readLine());
    }

    private BufferedReader stall(String how) throws IOException, InterruptedException {
        Path program = CProgram.compile(SOURCE, folder);
        client =
                new ProcessBuilder(program.toString(), how, socket("hostile").toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        BufferedReader said = client.inputReader();
        said.mark(1);
        assumeTrue(said.read() >= 0 || client.waitFor() != SKIPPED, "FUSE cannot be mounted");
        said.reset();
        return said;
    }

    private void assertNeighbourIsServed() {
        try (VfioUserClient neighbour = new VfioUserClient(socket("neighbour")).negotiate()) {
            for (int i = 0; i < ACCESSES; i++) {
                neighbour.read(BAR0, 0, Integer.BYTES);
            }
        }
    }

    private String endBackend() throws IOException, InterruptedException {
        terminate();
        assertTrue(
                serve.waitFor(END_LIMIT_S, TimeUnit.SECONDS),
                "backend: did not end within " + END_LIMIT_S + " s");
        String errors = GpuvmCommand.errorsOf(serve);
        assertEquals(TERMINATED, serve.exitValue(), errors);
        return errors;
    }

    /// Sends SIGTERM. [Process#destroy()] would also close the process's output, which the test
    /// reads.
    private void terminate() {
        serve.toHandle().destroy();
    }

    private void endClient() throws IOException, InterruptedException {
        client.getOutputStream().close();
        assertEquals(0, client.waitFor());
    }

    private Path socket(String name) {
        return folder.resolve(name);
    }
}
