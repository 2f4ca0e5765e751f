package io.gpuvm.guests.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Folder of one run: sockets, consoles, logs. Its path is short because Linux limits the length of
/// socket paths.
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

    /// Returns the socket of QEMU's monitor.
    Path monitor(String vm) {
        return path.resolve(vm + ".qmp.sock");
    }

    /// Returns the file with the output of the guest's kernel.
    public Path console(String vm) {
        return path.resolve(vm + ".console");
    }

    /// Returns the file with the guest's events from its second serial port.
    public Path events(String vm) {
        return path.resolve(vm + ".events");
    }

    /// Returns the file with QEMU's standard error.
    public Path qemuLog(String vm) {
        return path.resolve(vm + ".qemu");
    }

    /// Returns a description of the replies that QEMU has lost; see [LostReplies].
    Optional<String> lostReplies(String vm) {
        return LostReplies.find(tail(qemuLog(vm), Integer.MAX_VALUE));
    }

    /// Returns the file with a guest's initramfs, if the guest has one of its own.
    Path initramfs(String vm) {
        return path.resolve(vm + ".cpio");
    }

    public Path serverLog() {
        return path.resolve("server.log");
    }

    public Path serverSummary() {
        return path.resolve("summary.json");
    }

    /// Returns the last lines of a file; empty if the file cannot be read.
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

    /// Reports the last lines of a file, if any.
    ///
    /// @param what title of the lines
    public static void show(String what, Path file, RunListener listener) {
        show(what, tail(file, SHOWN_LINES), listener);
    }

    /// Reports the first kernel error of a guest, if any, and the end of its console.
    void showConsole(String vm, RunListener listener) {
        List<String> all = tail(console(vm), Integer.MAX_VALUE);
        show("first kernel error of " + vm, KernelTrouble.first(all), listener);
        show("end of the console of " + vm, console(vm), listener);
    }

    private static void show(String what, List<String> lines, RunListener listener) {
        if (!lines.isEmpty()) {
            listener.onProgress(what + ":");
            lines.forEach(line -> listener.onProgress("  | " + line));
        }
    }

    /// Removes the folder, or only its sockets if the other files are to be kept.
    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!keep || file.toString().endsWith(".sock")) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | UncheckedIOException _) {
            // Another process has already removed a file, as intended.
        }
    }
}
