package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.guests.real.Children;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunResourcesTest {
    private final RunResources resources = new RunResources();
    private final List<Process> processes = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private Path folder;

    @AfterEach
    void close() {
        resources.close();
    }

    @Test
    void givenFailingStart_whenGuestIsStarted_thenProcessesEndAndFolderIsRemoved() {
        GuestLostException e =
                assertThrows(
                        GuestLostException.class,
                        () ->
                                resources.start(scope -> {
                                    startProcess(scope);
                                    throw new GuestLostException("not ready");
                                }));

        assertEquals("not ready", e.getMessage());
        assertFalse(processes.getFirst().isAlive());
        assertFalse(Files.exists(folder));
    }

    @Test
    void givenStartedGuest_whenScopeIsClosed_thenProcessesEndAndFolderIsRemoved()
            throws InterruptedException {
        GuestScope guest =
                resources.start(scope -> {
                    startProcess(scope);
                    return scope;
                });
        assertTrue(processes.getFirst().isAlive());
        assertTrue(Files.exists(folder));

        guest.close();
        guest.close();

        assertFalse(processes.getFirst().isAlive());
        assertFalse(Files.exists(folder));
    }

    @Test
    void givenResourceWhoseEndFails_whenScopeIsClosed_thenEarlierResourcesEnd() {
        GuestScope scope = resources.newScope();
        scope.add("backend", ends::add);
        scope.add(
                "guest",
                _ -> {
                    throw new IllegalStateException("does not end");
                });
        scope.add("other guest", ends::add);

        assertThrows(IllegalStateException.class, scope::close);

        assertEquals(List.of("other guest", "backend"), ends);
        assertFalse(Files.exists(scope.folder().path()));
    }

    @Test
    void givenClosedResources_whenGuestIsStarted_thenGuestIsLost() {
        resources.close();

        assertThrows(GuestLostException.class, () -> resources.start(scope -> scope));
    }

    private void startProcess(GuestScope scope) {
        folder = scope.folder().path();
        List<String> command = List.of("/usr/bin/sleep", "1000");
        processes.add(
                scope.add(
                        scope.children().start(command, null, scope.folder().serverLog()),
                        Children::end));
    }
}
