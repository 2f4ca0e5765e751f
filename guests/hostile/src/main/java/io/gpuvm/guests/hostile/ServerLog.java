package io.gpuvm.guests.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// Log of a backend.
record ServerLog(List<String> lines) {
    /// Normal lines: one for each connection and disconnection of a guest.
    private static final Pattern TRANSITION =
            Pattern.compile(": client (\\d+ connected|disconnected)|: FV on ");

    private static final Pattern ERROR = Pattern.compile("^\\S+ ERROR ");

    static ServerLog read(Path file) {
        try {
            return new ServerLog(Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the lines about a virtual machine, except normal lines: the lines that contain the
    /// name of its thread or its own name.
    List<String> about(String vm) {
        String thread = "gpuvm-vm-" + vm + " ";
        return lines.stream()
                .filter(line -> line.contains(thread) || line.contains(": " + vm))
                .filter(line -> !TRANSITION.matcher(line).find())
                .toList();
    }

    /// Returns the lines with errors of the backend itself.
    List<String> errors() {
        return lines.stream().filter(line -> ERROR.matcher(line).find()).toList();
    }
}
