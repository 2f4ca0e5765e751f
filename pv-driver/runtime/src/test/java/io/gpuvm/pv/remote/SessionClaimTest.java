package io.gpuvm.pv.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.pv.protocol.FunctionRegisters;
import io.gpuvm.pv.protocol.SessionState;
import io.gpuvm.pv.transport.TransportException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of programs that divide the sessions of a function among themselves, on a file in place of
/// the areas' BAR.
@Timeout(60)
class SessionClaimTest {
    private static final int SESSIONS = 3;

    @TempDir private Path folder;
    private Path file;
    private final Pages pages = new Pages(SESSIONS);

    @BeforeEach
    void create() throws IOException {
        file = Files.createFile(folder.resolve("resource2"));
    }

    @Test
    void givenUnusedSessions_whenProgramsClaim_thenEachGetsOwnSession() {
        try (Descriptor first = Descriptor.open(file);
                Descriptor second = Descriptor.open(file)) {
            assertEquals(0, claim(first));
            assertEquals(1, claim(second));
        }
        try (Descriptor third = Descriptor.open(file)) {
            assertEquals(0, claim(third));
        }
        assertTrue(pages.written.isEmpty(), pages.written::toString);
    }

    @Test
    void givenSessionsOfDeadPrograms_whenProgramClaims_thenOtherSessionsAreEnded() {
        pages.states[0] = SessionState.OPEN;
        pages.states[1] = SessionState.ENDED;
        pages.states[2] = SessionState.OPEN;
        try (Descriptor areas = Descriptor.open(file)) {
            assertEquals(0, claim(areas));
        }
        assertEquals(List.of("2 10 0"), pages.written);
    }

    @Test
    void givenAllSessionsInUse_whenProgramClaims_thenErrorNamesLimit() {
        try (Descriptor others = Descriptor.open(file);
                Descriptor areas = Descriptor.open(file)) {
            for (int session = 0; session < SESSIONS; session++) {
                assertTrue(others.tryLock(session));
                pages.states[session] = SessionState.OPEN;
            }
            String reason = assertThrows(TransportException.class, () -> claim(areas)).getMessage();
            assertEquals("sessions=4, limit=3: function is in use", reason);
        }
        assertTrue(pages.written.isEmpty(), pages.written::toString);
    }

    @Test
    void givenProgramWithExclusiveLock_whenProgramClaims_thenClaimIsRefused() {
        pages.states[0] = SessionState.OPEN;
        pages.states[1] = SessionState.OPEN;
        try (Descriptor other = Descriptor.open(file);
                Descriptor areas = Descriptor.open(file)) {
            assertTrue(other.tryLockFile(Descriptor.FileLock.EXCLUSIVE));
            String reason = assertThrows(TransportException.class, () -> claim(areas)).getMessage();
            assertEquals(
                    "sessions=2, limit=1: function is in use by a program of a version without sessions",
                    reason);
        }
        assertTrue(pages.written.isEmpty(), pages.written::toString);
    }

    @Test
    void givenProgramsWithSessions_whenExclusiveLockIsTried_thenLockIsRefusedUntilAllHaveEnded() {
        try (Descriptor other = Descriptor.open(file)) {
            try (Descriptor second = Descriptor.open(file)) {
                try (Descriptor first = Descriptor.open(file)) {
                    assertEquals(0, claim(first));
                    assertEquals(1, claim(second));
                }
                assertFalse(other.tryLockFile(Descriptor.FileLock.EXCLUSIVE));
            }
            assertTrue(other.tryLockFile(Descriptor.FileLock.EXCLUSIVE));
        }
    }

    @Test
    void givenSessionOfOtherProcess_whenProcessIsKilled_thenSessionIsClaimed() throws Exception {
        Process other =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Holder.class.getName(),
                                file.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader out = other.inputReader()) {
            assertEquals("0", out.readLine());
            pages.states[0] = SessionState.OPEN;
            try (Descriptor areas = Descriptor.open(file)) {
                assertEquals(1, claim(areas));
                assertTrue(pages.written.isEmpty(), pages.written::toString);
            }
            other.destroyForcibly().waitFor();
            pages.states[1] = SessionState.OPEN;
            try (Descriptor areas = Descriptor.open(file)) {
                assertEquals(0, claim(areas));
                assertEquals(List.of("1 10 0"), pages.written);
            }
        } finally {
            other.destroyForcibly();
        }
    }

    private int claim(Descriptor areas) {
        return SessionClaim.of(areas, pages, "function");
    }

    /// Program that claims a session and keeps it.
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws InterruptedException {
            Descriptor areas = Descriptor.open(Path.of(args[0]));
            System.out.println(SessionClaim.of(areas, new Pages(SESSIONS), "function"));
            Thread.currentThread().join();
        }
    }

    /// Registers with the given states, which records writes.
    private static final class Pages implements RegisterPages {
        private final SessionState[] states;
        private final List<String> written = new ArrayList<>();

        Pages(int sessions) {
            states = new SessionState[sessions];
            Arrays.fill(states, SessionState.CLOSED);
        }

        @Override
        public int sessions() {
            return states.length;
        }

        @Override
        public int read(int session, int register) {
            return register == FunctionRegisters.STATE ? states[session].code() : 0;
        }

        @Override
        public void write(int session, int register, int value) {
            written.add("%d %x %d".formatted(session, register, value));
        }
    }
}
