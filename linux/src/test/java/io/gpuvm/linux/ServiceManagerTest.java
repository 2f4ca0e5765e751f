package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
/// in Python plays the manager.
@Timeout(60)
class ServiceManagerTest {
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

    private ServiceManager managerOn(String name) throws IOException {
        process = new ProcessBuilder("python3", "-c", RECEIVER, name).start();
        received = process.inputReader();
        assertEquals("bound", received.readLine());
        return ServiceManager.of(Map.of("NOTIFY_SOCKET", name), PID);
    }

    @Test
    void givenSocketInFolder_whenStatesAreReported_thenManagerReceivesThem() throws IOException {
        ServiceManager manager = managerOn(folder.resolve("notify").toString());

        manager.ready();
        manager.alive();
        manager.status("3 virtual machines");
        manager.stopping();

        assertEquals("READY=1", received.readLine());
        assertEquals("WATCHDOG=1", received.readLine());
        assertEquals("STATUS=3 virtual machines", received.readLine());
        assertEquals("STOPPING=1", received.readLine());
    }

    @Test
    void givenAbstractSocket_whenReloading_thenManagerReceivesTimeOfMonotonicClock()
            throws IOException {
        ServiceManager manager = managerOn("@gpuvm-test-" + ProcessHandle.current().pid());
        long before = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());

        manager.reloading();

        String[] lines = received.readLine().split("\\|");
        assertEquals("RELOADING=1", lines[0]);
        assertTrue(lines[1].startsWith("MONOTONIC_USEC="), lines[1]);
        // On Linux, System.nanoTime() is the same clock.
        assertTrue(Long.parseLong(lines[1].substring(lines[1].indexOf('=') + 1)) >= before);
    }

    @Test
    void givenNoServiceManager_whenStatesAreReported_thenNothingHappens() {
        ServiceManager manager = ServiceManager.of(Map.of(), PID);

        manager.ready();
        manager.stopping();

        assertNull(manager.watchdog());
    }

    @Test
    void givenManagerThatIsGone_whenReady_thenErrorNamesSocket() {
        ServiceManager manager =
                ServiceManager.of(Map.of("NOTIFY_SOCKET", folder.resolve("gone").toString()), PID);

        LinuxException error = assertThrows(LinuxException.class, manager::ready);

        assertTrue(error.getMessage().contains("gone"), error.getMessage());
    }

    @Test
    void givenWatchdogOfThisProcess_whenRead_thenTimeIsKnown() {
        Map<String, String> environment =
                Map.of("WATCHDOG_USEC", "30000000", "WATCHDOG_PID", String.valueOf(PID));

        assertEquals(Duration.ofSeconds(30), ServiceManager.of(environment, PID).watchdog());
        assertNull(ServiceManager.of(environment, PID + 1).watchdog());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "x", "99999999999999999999"})
    void givenInvalidWatchdogTime_whenRead_thenThereIsNoWatchdog(String time) {
        assertNull(ServiceManager.of(Map.of("WATCHDOG_USEC", time), PID).watchdog());
    }
}
