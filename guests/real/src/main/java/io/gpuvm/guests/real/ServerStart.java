package io.gpuvm.guests.real;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Start of a server process: waits until the server is ready, has ended, or exceeds the limit.
public final class ServerStart {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final int SHOWN_LINES = 20;

    private final Process process;
    private final RunFolder folder;
    private final long startNs = System.nanoTime();
    private final CountDownLatch ready = new CountDownLatch(1);

    /// @param folder folder with the server's log
    private ServerStart(Process process, RunFolder folder) {
        this.process = process;
        this.folder = folder;
    }

    /// Starts `gpuvm` as a server. Returns when the process has printed `ready`.
    ///
    /// @param lines receives the other lines of the process's output, on a separate thread
    /// @throws IllegalStateException if the process ends or is not ready in time; the message
    ///   contains its log, and the process is terminated
    public static Process start(
            List<String> arguments,
            ServerProcess settings,
            RunFolder folder,
            Children children,
            Consumer<String> lines)
            throws InterruptedException {
        List<String> command = settings.on().run(ThisBuild.gpuvm(JvmOptions.backend(), arguments));
        Process process = children.start(command, settings.environment(), null, folder.serverLog());
        ServerStart start = new ServerStart(process, folder);
        OutputThread.start("server-output", () -> start.copyOutput(lines));
        try {
            start.await(() -> start.ready.await(POLL.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException | IllegalStateException e) {
            Children.end(process);
            throw e;
        }
        return process;
    }

    /// Waits until a process that was just started is ready.
    ///
    /// @param isReady returns whether the server is ready, after a short wait
    /// @throws IllegalStateException if the process ends or is not ready in time; the message
    ///   contains its log
    static void await(Process process, RunFolder folder, Poll isReady) throws InterruptedException {
        new ServerStart(process, folder).await(isReady);
    }

    /// Check of a condition.
    interface Poll {
        boolean isTrue() throws InterruptedException;
    }

    private void await(Poll isReady) throws InterruptedException {
        while (!isReady.isTrue()) {
            if (!process.isAlive()) {
                throw failed("ended with exit status " + process.exitValue());
            }
            if (System.nanoTime() - startNs >= LIMIT.toNanos()) {
                throw failed("is not ready, limit=%d s".formatted(LIMIT.toSeconds()));
            }
        }
    }

    private void copyOutput(Consumer<String> lines) {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = reader.readLine()) != null; ) {
                if (line.equals("ready")) {
                    ready.countDown();
                } else {
                    lines.accept(line);
                }
            }
        } catch (IOException _) {
            // The process was terminated.
        }
    }

    private IllegalStateException failed(String why) {
        return new IllegalStateException(
                "the server %s; its log:%n%s"
                        .formatted(
                                why,
                                String.join(
                                        "\n", RunFolder.tail(folder.serverLog(), SHOWN_LINES))));
    }
}
