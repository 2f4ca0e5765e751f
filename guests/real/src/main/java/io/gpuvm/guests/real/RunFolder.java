package io.gpuvm.guests.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The folder of one run: sockets, consoles, logs. Its path is short, for the sake of the sockets.
public final class RunFolder implements AutoCloseable {
    private static final int SHOWN_LINES = 25;

    private final Path path;
    private final boolean keep;

    public RunFolder(boolean keep) {
        this.keep = keep;
        try {
            this.path = Files.createTempDirectory("gpuvm-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path path() {
        return path;
    }

    public Path socket(String vm) {
        return path.resolve(vm + ".sock");
    }

    /// Where QEMU takes commands.
    Path monitor(String vm) {
        return path.resolve(vm + ".qmp.sock");
    }

    /// What the guest's kernel prints.
    public Path console(String vm) {
        return path.resolve(vm + ".console");
    }

    /// What the guest reports on its second port.
    public Path events(String vm) {
        return path.resolve(vm + ".events");
    }

    /// What QEMU itself has to say.
    public Path qemuLog(String vm) {
        return path.resolve(vm + ".qemu");
    }

    public Path serverLog() {
        return path.resolve("server.log");
    }

    public Path serverSummary() {
        return path.resolve("summary.json");
    }

    /// The last lines of a file, or none when it cannot be read.
    public static List<String> tail(Path file, int lines) {
        try {
            String text =
                    new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.UTF_8);
            List<String> all = text.lines().toList();
            return all.subList(Math.max(0, all.size() - lines), all.size());
        } catch (IOException _) {
            return List.of();
        }
    }

    /// Tells the last lines of a file, if there are any.
    ///
    /// @param what how to call it
    public static void show(String what, Path file, RunListener listener) {
        show(what, tail(file, SHOWN_LINES), listener);
    }

    /// Tells what a guest's kernel said when it broke, if it did, and the end of its console.
    void showConsole(String vm, RunListener listener) {
        List<String> all = tail(console(vm), Integer.MAX_VALUE);
        show("first report of the kernel of " + vm, KernelTrouble.first(all), listener);
        show("end of the console of " + vm, console(vm), listener);
    }

    private static void show(String what, List<String> lines, RunListener listener) {
        if (!lines.isEmpty()) {
            listener.onProgress(what + ":");
            lines.forEach(line -> listener.onProgress("  | " + line));
        }
    }

    /// Removes everything, or only the sockets when the folder is to be kept.
    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!keep || file.toString().endsWith(".sock")) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | UncheckedIOException _) {
            // Somebody else removed it: that is what was wanted.
        }
    }
}
