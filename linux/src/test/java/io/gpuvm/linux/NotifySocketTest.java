package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// States that a service manager receives; Java has no datagram sockets of UNIX, so that a program
/// in Python plays the socket.
@Timeout(60)
class NotifySocketTest {
    private static final long PID = 4711;
    private static final String RECEIVER =
            """
            import socket, sys
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            name = sys.argv[1]
            s.bind("\\0" + name[1:] if name[0] == "@" else name)
            print("bound", flush=True)
            while True:
                print(s.recv(4096).decode().replace("\\n", "|"), flush=True)
            """;

    @TempDir private Path folder;

    private Process process;
    private BufferedReader received;

    @AfterEach
    void stop() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private NotifySocket socketOn(String name) throws IOException {
        try {
            process = new ProcessBuilder("python3", "-c", RECEIVER, name).start();
        } catch (IOException _) {
            assumeTrue(false, "python3 is not installed");
        }
        received = process.inputReader();
        assertEquals("bound", received.readLine());
        return NotifySocket.of(Map.of("NOTIFY_SOCKET", name), PID);
    }

    @Test
    void givenSocketInFolder_whenStatesAreReported_thenManagerReceivesThem() throws IOException {
        NotifySocket socket = socketOn(folder.resolve("notify").toString());

        socket.ready();
        socket.alive();
        socket.status("3 virtual machines");
        socket.stopping();

        assertEquals("READY=1", received.readLine());
        assertEquals("WATCHDOG=1", received.readLine());
        assertEquals("STATUS=3 virtual machines", received.readLine());
        assertEquals("STOPPING=1", received.readLine());
    }

    @Test
    void givenAbstractSocket_whenReloading_thenManagerReceivesTimeOfMonotonicClock()
            throws IOException {
        NotifySocket socket = socketOn("@gpuvm-test-" + ProcessHandle.current().pid());
        long before = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());

        socket.reloading();

        String[] lines = received.readLine().split("\\|");
        assertEquals("RELOADING=1", lines[0]);
        assertTrue(lines[1].startsWith("MONOTONIC_USEC="), lines[1]);
        // On Linux, System.nanoTime() is the same clock.
        assertTrue(Long.parseLong(lines[1].substring(lines[1].indexOf('=') + 1)) >= before);
    }

    @Test
    void givenNoNotifySocket_whenStatesAreReported_thenNothingHappens() {
        NotifySocket socket = NotifySocket.of(Map.of(), PID);

        socket.ready();
        socket.stopping();

        assertNull(socket.watchdog());
    }

    @Test
    void givenManagerThatIsGone_whenReady_thenErrorNamesSocket() {
        NotifySocket socket =
                NotifySocket.of(Map.of("NOTIFY_SOCKET", folder.resolve("gone").toString()), PID);

        LinuxException error = assertThrows(LinuxException.class, socket::ready);

        assertTrue(error.getMessage().contains("gone"), error.getMessage());
    }

    @Test
    void givenWatchdogOfThisProcess_whenRead_thenTimeIsKnown() {
        Map<String, String> environment =
                Map.of("WATCHDOG_USEC", "30000000", "WATCHDOG_PID", String.valueOf(PID));

        assertEquals(Duration.ofSeconds(30), NotifySocket.of(environment, PID).watchdog());
        assertNull(NotifySocket.of(environment, PID + 1).watchdog());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "x", "99999999999999999999"})
    void givenInvalidWatchdogTime_whenRead_thenThereIsNoWatchdog(String time) {
        assertNull(NotifySocket.of(Map.of("WATCHDOG_USEC", time), PID).watchdog());
    }
}
