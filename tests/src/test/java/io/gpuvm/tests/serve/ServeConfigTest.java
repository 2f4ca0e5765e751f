package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Test of `gpuvm serve --config` as a service: the states that its manager receives, and a reload
/// by a signal.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("commands")
class ServeConfigTest {
    /// A program in Python plays the service manager, because Java has no datagram sockets of UNIX.
    private static final String MANAGER =
            """
            import socket, sys
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            s.bind(sys.argv[1])
            print("bound", flush=True)
            while True:
                print(s.recv(4096).decode().split("\\n")[0], flush=True)
            """;

    private static final long WATCHDOG_MICROS = 300_000;
    private static final int STATE_SECONDS = 60;

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand serve = new GpuvmCommand("serve");

    private Process manager;
    private final BlockingQueue<String> states = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        if (manager != null) {
            manager.destroyForcibly();
        }
    }

    private void startManager() throws IOException, InterruptedException {
        Path socket = folder.resolve("notify");
        try {
            manager = new ProcessBuilder("python3", "-c", MANAGER, socket.toString()).start();
        } catch (IOException _) {
            assumeTrue(false, "python3 is not installed");
        }
        Thread.ofPlatform()
                .daemon()
                .start(() -> manager.inputReader().lines().forEach(states::add));
        awaitState("bound");
        // A test run that ignores SIGHUP, as with nohup, must not make the backend ignore it.
        serve.starter("env", "--default-signal=HUP");
        serve.environment("NOTIFY_SOCKET", socket.toString());
        serve.environment("WATCHDOG_USEC", String.valueOf(WATCHDOG_MICROS));
    }

    private Path write(String policy, String vm) throws IOException {
        return Files.writeString(
                folder.resolve("gpuvm.toml"),
                """
                gpu = "soft,vram=256M"
                ctl = "%s"
                policy = "%s"

                [vm.%s]
                mode = "pv"
                vram = "64M"
                """
                        .formatted(folder.resolve("ctl"), policy, vm));
    }

    private void awaitState(String wanted) throws InterruptedException {
        String state;
        do {
            state = states.poll(STATE_SECONDS, TimeUnit.SECONDS);
            assertNotNull(state, "the manager has not received " + wanted);
        } while (!state.equals(wanted));
    }

    @Test
    void givenServiceManager_whenServing_thenItLearnsEveryStateAndSignalReloads() throws Exception {
        startManager();
        Path config = write("fair", "a");
        Path log = folder.resolve("log");
        Process backend = serve.start("--config", config.toString());
        Thread copier = Thread.ofPlatform().daemon().start(() -> copy(backend, log));

        awaitState("READY=1");
        assertTrue(Files.exists(folder.resolve("a.sock")));
        awaitState("WATCHDOG=1");
        awaitState("WATCHDOG=1");

        write("fifo", "b");
        signal(backend, "HUP");
        awaitState("RELOADING=1");
        awaitState("READY=1");
        assertTrue(Files.exists(folder.resolve("b.sock")));
        assertTrue(Files.notExists(folder.resolve("a.sock")));

        write("luck", "b");
        signal(backend, "HUP");
        awaitState("RELOADING=1");
        awaitState("READY=1");

        // Process.destroy() would close the stream of the log.
        signal(backend, "TERM");
        awaitState("STOPPING=1");
        assertEquals(128 + 15, backend.waitFor());
        copier.join();
        String lines = Files.readString(log, StandardCharsets.UTF_8);
        assertTrue(lines.contains("SIGHUP: a: detached; policy=fifo; b: attached"), lines);
        assertTrue(lines.contains(config + ":3: policy: policy=luck, expected one of"), lines);
    }

    private static void signal(Process process, String name)
            throws IOException, InterruptedException {
        int status =
                new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                        .start()
                        .waitFor();
        assertEquals(0, status);
    }

    private static void copy(Process process, Path file) {
        try {
            Files.copy(process.getErrorStream(), file);
        } catch (IOException _) {
            // The process was killed.
        }
    }
}
