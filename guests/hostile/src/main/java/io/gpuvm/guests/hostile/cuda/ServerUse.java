package io.gpuvm.guests.hostile.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Resources of the host that a backend's process uses.
///
/// @param descriptors number of open descriptors
/// @param threads number of the backend's own threads; those of the JVM come and go
/// @param mappings number of mappings of memory that is shared with clients or with the GPU
/// @param heapBytes reachable objects in the heap
/// @param residentBytes resident memory
/// @param sessions number of open sessions of all virtual machines
record ServerUse(
        long descriptors,
        long threads,
        long mappings,
        long heapBytes,
        long residentBytes,
        long sessions) {
    /// Greatest permitted growth of the reachable objects, in bytes: caches of a few modules and of
    /// code, which do not grow with the number of sessions.
    private static final long HEAP_TOLERANCE = 8 << 20;

    /// Greatest permitted growth of the resident memory, in bytes: the heap and compiled code grow
    /// up to limits that the number of sessions does not change.
    private static final long RESIDENT_TOLERANCE = 192 << 20;

    private static final Pattern HEAP = Pattern.compile("used (\\d+)K");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final String OWN_THREADS = "gpuvm-";
    private static final String OWN_MEMORY = "/memfd:gpuvm-pv";
    private static final int KIB = 1024;

    /// Measures after a garbage collection.
    static ServerUse of(CudaServer server) throws InterruptedException {
        Path process = Path.of("/proc", String.valueOf(server.pid()));
        jcmd(server, "GC.run");
        long heap = 0;
        Matcher used = HEAP.matcher(withoutMetaspace(jcmd(server, "GC.heap_info")));
        while (used.find()) {
            heap += Long.parseLong(used.group(1)) * KIB;
        }
        Matcher resident = RESIDENT.matcher(read(process.resolve("status")));
        if (heap == 0 || !resident.find()) {
            throw new IllegalStateException("no figures of the process " + server.pid());
        }
        return new ServerUse(
                list(process.resolve("fd")).size(),
                list(process.resolve("task")).stream()
                        .filter(task -> read(task.resolve("comm")).startsWith(OWN_THREADS))
                        .count(),
                read(process.resolve("maps"))
                        .lines()
                        .filter(line -> line.contains(OWN_MEMORY))
                        .count(),
                heap,
                Long.parseLong(resident.group(1)) * KIB,
                server.openSessions(CudaServer.HOSTILE)
                        + server.openSessions(CudaServer.NEIGHBOUR));
    }

    private static String withoutMetaspace(String heapInfo) {
        int end = heapInfo.indexOf("Metaspace");
        return end < 0 ? heapInfo : heapInfo.substring(0, end);
    }

    /// Returns the resources that are not back where they were, as texts.
    List<String> leaksSince(ServerUse before) {
        List<String> leaks = new ArrayList<>();
        compare(leaks, "descriptors", descriptors, before.descriptors, 0);
        compare(leaks, "threads", threads, before.threads, 0);
        compare(leaks, "mappings", mappings, before.mappings, 0);
        compare(leaks, "sessions", sessions, before.sessions, 0);
        compare(leaks, "heap bytes", heapBytes, before.heapBytes, HEAP_TOLERANCE);
        compare(leaks, "resident bytes", residentBytes, before.residentBytes, RESIDENT_TOLERANCE);
        return leaks;
    }

    private static void compare(
            List<String> leaks, String what, long now, long before, long tolerance) {
        if (now > before + tolerance) {
            leaks.add("%s=%d, limit=%d".formatted(what, now, before + tolerance));
        }
    }

    private static String jcmd(CudaServer server, String command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin/jcmd").toString(),
                                    String.valueOf(server.pid()),
                                    command)
                            .redirectErrorStream(true)
                            .start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("jcmd %s: %s".formatted(command, output));
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException _) {
            // A thread that has ended meanwhile.
            return "";
        }
    }
}
