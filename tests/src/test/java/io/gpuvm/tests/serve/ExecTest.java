package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Tests of `gpuvm exec` as a separate process.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("commands")
class ExecTest {
    /// Exit status after SIGTERM, which has the same handler as SIGINT (Ctrl-C). The test cannot
    /// send SIGINT, because processes that a script starts in the background ignore that signal.
    private static final int TERMINATED = 128 + 15;

    private static final String ENGINES = "gpuvm-softgpu";

    /// Index of the user time in a thread's `stat` in `/proc`, counted after the name, which may
    /// contain spaces.
    private static final int USER_TICKS = 11;

    /// Processor time in clock ticks, more than the engines need to start and copy.
    private static final int ENOUGH_TICKS = 30;

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand command = new GpuvmCommand("exec");

    @Test
    void givenEndlessKernel_whenTerminated_thenProcessEndsAndFilesAreUnchanged() throws Exception {
        Path source =
                Files.writeString(
                        folder.resolve("endless.sass"),
                        ".kernel endless\n.param out, 8\nagain: BRA again\nEXIT\n");
        Path result = Files.writeString(folder.resolve("result"), "before");
        Process exec =
                command.start(
                        source.toString(),
                        "--kernel=endless",
                        "--grid=1000",
                        "--block=32",
                        "--arg=out:" + result + ":4K",
                        "--gpu=soft,vram=64M");
        awaitEngines(exec);

        exec.toHandle().destroy();

        assertEquals(TERMINATED, exec.waitFor());
        assertEquals("", GpuvmCommand.errorsOf(exec));
        assertEquals("before", Files.readString(result));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(source, result), files.sorted().toList());
        }
    }

    /// Waits until the GPU executes the kernel. The test's timeout is the limit.
    private static void awaitEngines(Process exec) throws IOException, InterruptedException {
        while (engineTicks(exec) < ENOUGH_TICKS) {
            assertTrue(exec.isAlive(), () -> "ended with " + exec.exitValue());
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static long engineTicks(Process exec) throws IOException {
        Path threads = Path.of("/proc", Long.toString(exec.pid()), "task");
        try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : all.toList()) {
                String stat = stat(thread);
                if (stat.contains(ENGINES)) {
                    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                    return Long.parseLong(fields[USER_TICKS]);
                }
            }
        }
        return 0;
    }

    /// Returns a thread's `stat`, or an empty string if the thread has just ended.
    private static String stat(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException _) {
            return "";
        }
    }
}
