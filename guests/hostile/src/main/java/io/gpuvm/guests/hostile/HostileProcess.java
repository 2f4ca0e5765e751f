package io.gpuvm.guests.hostile;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.OutputThread;
import io.gpuvm.guests.real.RunFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Process of a hostile guest, as controlled by the test. Any thread.
final class HostileProcess {
    private final Process process;
    private final Path errors;
    private final List<String> said = new ArrayList<>();
    private final CountDownLatch attacking = new CountDownLatch(1);

    /// Counted down at the end of the first attack, or at the end of the process.
    private final CountDownLatch attacked = new CountDownLatch(1);

    private final CountDownLatch ended = new CountDownLatch(1);

    private HostileProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
    }

    /// Starts [HostileMain].
    static HostileProcess start(Children children, RunFolder folder, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmOptions.opening());
        command.addAll(JvmOptions.brief());
        command.addAll(List.of("-Xmx64m", "-cp", System.getProperty("java.class.path")));
        command.add(HostileMain.class.getName());
        command.addAll(List.of(arguments));
        Path errors = folder.path().resolve("hostile.log");
        HostileProcess guest = new HostileProcess(children.start(command, null, errors), errors);
        OutputThread.start("hostile-output", guest::listen);
        return guest;
    }

    private void listen() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = reader.readLine()) != null; ) {
                synchronized (said) {
                    said.add(line);
                }
                switch (line) {
                    case "attacking" -> attacking.countDown();
                    case "attacked" -> attacked.countDown();
                    default -> {}
                }
            }
        } catch (IOException _) {
            // The process was killed.
        } finally {
            attacked.countDown();
            ended.countDown();
        }
    }

    /// Waits until the process has begun its attack.
    void awaitAttack(Duration limit) throws InterruptedException {
        if (!attacking.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(
                    "hostile guest: no attack has begun, limit=%d s: %s"
                            .formatted(limit.toSeconds(), complaint()));
        }
    }

    /// Waits for the end of the first attack. The process then repeats the attack.
    ///
    /// @throws IllegalStateException if the attack does not end in time, or the process ends
    void awaitFirstAttack(Duration limit) throws InterruptedException {
        boolean inTime = attacked.await(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (!inTime) {
            throw new IllegalStateException(
                    "hostile guest: no attack has ended, limit=%d s: %s"
                            .formatted(limit.toSeconds(), complaint()));
        }
        if (!said().contains("attacked")) {
            throw new IllegalStateException(
                    "hostile guest: ended before the first attack: " + complaint());
        }
    }

    /// Waits for the end of the process.
    ///
    /// @return all lines of its standard output
    /// @throws IllegalStateException if the process does not end in time, or ends with a status
    ///   other than 0
    List<String> awaitEnd(Duration limit) throws InterruptedException {
        if (!ended.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(
                    "hostile guest: has not ended, limit=%d s: %s"
                            .formatted(limit.toSeconds(), complaint()));
        }
        if (process.waitFor() != 0) {
            throw new IllegalStateException("hostile guest: failed: " + complaint());
        }
        return said();
    }

    /// Kills the process immediately.
    ///
    /// @return all lines of its standard output
    List<String> kill() throws InterruptedException {
        process.destroyForcibly();
        ended.await();
        process.waitFor();
        return said();
    }

    /// Returns the texts of the lines `found`.
    static List<String> findings(List<String> said) {
        return said.stream()
                .filter(line -> line.startsWith("found "))
                .map(line -> line.substring("found ".length()))
                .toList();
    }

    private List<String> said() {
        synchronized (said) {
            return List.copyOf(said);
        }
    }

    private String complaint() {
        return String.join("\n", RunFolder.tail(errors, 20));
    }
}
