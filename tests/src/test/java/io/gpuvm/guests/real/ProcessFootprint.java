package io.gpuvm.guests.real;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Descriptors and memory of a process. Source: `Documentation/filesystems/proc.rst` of Linux.
///
/// @param descriptors number of descriptors of the kinds that guests use: sockets, memory, events;
///   the number of the JVM's own descriptors, for instance of jars, varies
/// @param residentKib all memory in the process's page tables: the sum of the next three values
/// @param anonymousKib anonymous memory: the Java heap, compiled code, arenas
/// @param sharedKib memory files: the software GPU's VRAM, and the guests' memory that the backend
///   touched
/// @param fileKib program and libraries
record ProcessFootprint(
        long descriptors, long residentKib, long anonymousKib, long sharedKib, long fileKib) {
    private static final String GUEST_DESCRIPTORS = "socket:.*|/memfd:.*|anon_inode:\\[eventfd]";

    /// Reads the footprint of a process.
    ///
    /// @throws IOException if the process does not exist
    static ProcessFootprint of(long pid) throws IOException {
        List<String> status = Files.readAllLines(Path.of("/proc/" + pid + "/status"));
        return new ProcessFootprint(
                descriptorsOf(pid),
                kib(status, "VmRSS:"),
                kib(status, "RssAnon:"),
                kib(status, "RssShmem:"),
                kib(status, "RssFile:"));
    }

    private static long kib(List<String> status, String key) {
        return status.stream()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }

    private static long descriptorsOf(long pid) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return descriptors.filter(ProcessFootprint::isOfAGuest).count();
        }
    }

    private static boolean isOfAGuest(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().matches(GUEST_DESCRIPTORS);
        } catch (IOException _) {
            return false; // Closed in the meantime.
        }
    }
}
