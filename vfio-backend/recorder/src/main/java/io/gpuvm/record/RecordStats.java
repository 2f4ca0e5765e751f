package io.gpuvm.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Statistics of a recording. `docs/recorder.md` describes the JSON form.
///
/// @param level level in the recording's header
/// @param startedAt start of the recording, in milliseconds since 1970
/// @param complete whether the recording was closed normally; if not, its backend crashed or ran
///   out of disk space
/// @param seconds time from the first record to the last
/// @param records number of records
/// @param lost number of records that are recorded as lost
/// @param vms virtual machines in the order of the recording
public record RecordStats(
        RecordLevel level,
        long startedAt,
        boolean complete,
        double seconds,
        long records,
        long lost,
        List<Vm> vms) {
    /// Statistics of one virtual machine.
    ///
    /// @param seconds time from its first record to its last
    /// @param messages number of its clients' messages; a message with several writes counts once
    ///   per write
    /// @param refused number of refused messages
    /// @param regions accesses by region; regions without accesses are omitted
    /// @param doorbells number of doorbells with new work
    /// @param memoryBytes guest memory recorded at doorbells
    /// @param memoryMissingBytes guest memory beyond the recording limit
    /// @param longestGapSeconds longest time without a message while a client was connected
    /// @param longestGapAtSeconds start of that gap, relative to the virtual machine's first record
    /// @param commands statistics of its commands; null below level `commands`
    public record Vm(
            String name,
            String mode,
            long vramBytes,
            double seconds,
            long records,
            long lost,
            long connections,
            long messages,
            long refused,
            Map<RecordedRegion, Accesses> regions,
            long doorbells,
            long memoryBytes,
            long memoryMissingBytes,
            double longestGapSeconds,
            double longestGapAtSeconds,
            Commands commands) {}

    /// Accesses to one region.
    ///
    /// @param perSecond rate of accesses, over the time from the virtual machine's first record to
    ///   its last
    public record Accesses(
            long reads, long writes, long readBytes, long writtenBytes, double perSecond) {}

    /// Commands of one virtual machine.
    ///
    /// @param withdrawn number of commands that did not start, because their channels were stopped
    ///   or unbound
    /// @param gpuSeconds charged GPU time, on all engines
    /// @param longestWaitSeconds longest time from submission to start
    public record Commands(
            long submitted,
            long started,
            long withdrawn,
            long completed,
            double gpuSeconds,
            double longestWaitSeconds) {}

    /// Computes the statistics of a recording.
    ///
    /// @throws RecordingException if the recording cannot be read to its end
    public static RecordStats of(Recording recording) {
        RecordingHeader header = recording.header();
        List<VmTally> tallies = new ArrayList<>();
        header.vms().forEach(vm -> tallies.add(new VmTally(vm)));
        long records = 0;
        long lost = 0;
        long firstNs = Long.MAX_VALUE;
        long lastNs = Long.MIN_VALUE;
        boolean complete = false;
        try (RecordCursor cursor = recording.cursor()) {
            for (RecordView record; (record = cursor.next()) != null; records++) {
                firstNs = Math.min(firstNs, record.timeNs());
                lastNs = Math.max(lastNs, record.timeNs());
                switch (record.kind()) {
                    case END -> complete = true;
                    case LOST -> lost += record.count();
                    default -> {
                        // Counted below.
                    }
                }
                int vm = isOfCommand(record) ? record.commandVm() : record.vm();
                if (vm >= 0 && vm < tallies.size()) {
                    tallies.get(vm).add(record);
                }
            }
        }
        boolean commands = header.level() == RecordLevel.COMMANDS;
        return new RecordStats(
                header.level(),
                header.startedAt(),
                complete,
                records == 0 ? 0 : VmTally.seconds(lastNs - firstNs),
                records,
                lost,
                tallies.stream().map(tally -> tally.result(commands)).toList());
    }

    private static boolean isOfCommand(RecordView record) {
        return switch (record.kind()) {
            case SUBMITTED, STARTED, COMPLETED, WITHDRAWN, CHARGED, SHARE -> true;
            default -> false;
        };
    }
}
