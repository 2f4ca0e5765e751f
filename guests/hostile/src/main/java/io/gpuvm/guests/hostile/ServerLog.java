package io.gpuvm.guests.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// What a backend has written to its log.
record ServerLog(List<String> lines) {
    /// Guests come and go, which is worth a line each.
    private static final Pattern TRANSITION = Pattern.compile(": client (connected|gone)|: FV on ");

    private static final Pattern ERROR = Pattern.compile("^\\S+ ERROR ");

    static ServerLog read(Path file) {
        try {
            return new ServerLog(Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What was said of a virtual machine, whose thread or name is in the line.
    List<String> about(String vm) {
        String thread = "gpuvm-vm-" + vm + " ";
        return lines.stream()
                .filter(line -> line.contains(thread) || line.contains(": " + vm))
                .filter(line -> !TRANSITION.matcher(line).find())
                .toList();
    }

    /// Errors of the backend's own.
    List<String> errors() {
        return lines.stream().filter(line -> ERROR.matcher(line).find()).toList();
    }
}
