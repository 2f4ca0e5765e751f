package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PinningTest {
    @TempDir private Path folder;

    private final Children children = new Children();
    private final HostProcessors first =
            HostProcessors.of(HostProcessors.available().numbers().getFirst());
    private Path log;

    @BeforeEach
    void nameLog() {
        log = folder.resolve("log");
    }

    @AfterEach
    void end() {
        children.close();
    }

    @Test
    void givenRunningThread_whenMoved_thenLinuxListsNewProcessor() throws Exception {
        Process process = sleep();

        Pinning.moveThreads(List.of(process.pid()), first, children, log);

        assertEquals(first.numbers(), processors(process.pid()));
    }

    @Test
    void givenEndedThread_whenMoved_thenOtherThreadsAreMoved() throws Exception {
        Process ended = sleep();
        Children.end(ended);
        Process running = sleep();

        Pinning.moveThreads(List.of(ended.pid(), running.pid()), first, children, log);

        assertEquals(first.numbers(), processors(running.pid()));
    }

    @Test
    void givenProcessorThatDoesNotExist_whenThreadIsMoved_thenMoveIsRefused() {
        long pid = sleep().pid();

        IllegalStateException e =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                Pinning.moveThreads(
                                        List.of(pid), HostProcessors.of(9999), children, log));

        assertEquals("taskset for thread %d: exit status 1".formatted(pid), e.getMessage());
    }

    private Process sleep() {
        return children.start(List.of("/usr/bin/sleep", "1000"), null, log);
    }

    private static List<Integer> processors(long pid) throws IOException {
        String status = Files.readString(Path.of("/proc/%d/status".formatted(pid)));
        String list =
                status.lines()
                        .filter(line -> line.startsWith("Cpus_allowed_list:"))
                        .findFirst()
                        .orElseThrow()
                        .split("\\s+")[1];
        return HostProcessors.parse(list).numbers();
    }
}
