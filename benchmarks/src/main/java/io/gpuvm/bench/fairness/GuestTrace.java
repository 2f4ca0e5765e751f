package io.gpuvm.bench.fairness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Trace of a guest, written by `gpuvm spin --trace`.
///
/// @param vm number of the guest's virtual machine
record GuestTrace(int vm, List<Command> commands) {
    private static final int COLUMNS = 4;
    private static final double NANOS_PER_SECOND = 1e9;

    /// Command of the guest. All times are by the host's monotonic clock.
    ///
    /// @param seenNs time at which the guest detected the end of the command
    record Command(int vm, long submittedNs, long startedNs, long endedNs, long seenNs) {}

    /// @throws IllegalArgumentException if the file is not a trace
    static GuestTrace read(int vm, Path file) {
        try {
            List<Command> commands = new ArrayList<>();
            List<String> lines = Files.readAllLines(file);
            for (String line : lines.subList(1, lines.size())) {
                String[] columns = line.split(",");
                if (columns.length != COLUMNS) {
                    throw new IllegalArgumentException(
                            "%s: columns=%d, expected=%d: '%s'"
                                    .formatted(file, columns.length, COLUMNS, line));
                }
                long started = Long.parseLong(columns[1]);
                commands.add(
                        new Command(
                                vm,
                                Long.parseLong(columns[0]),
                                started,
                                started + Long.parseLong(columns[2]),
                                Long.parseLong(columns[3])));
            }
            return new GuestTrace(vm, List.copyOf(commands));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the GPU time of the guest's kernels.
    double gpuSeconds() {
        long ns = commands.stream().mapToLong(each -> each.endedNs - each.startedNs).sum();
        return ns / NANOS_PER_SECOND;
    }
}
