package io.gpuvm.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What a recording has, counted. Its JSON form is described in `docs/recorder.md`.
///
/// @param level as in the recording's header
/// @param startedAt when the recording began, in milliseconds since 1970
/// @param complete whether it ended as it should; if not, its backend died or ran out of room
/// @param seconds from the first record to the last
/// @param records how many there are
/// @param lost how many are missing, as far as the recording says
/// @param vms in the order of the recording
public record RecordStats(
        RecordLevel level,
        long startedAt,
        boolean complete,
        double seconds,
        long records,
        long lost,
        List<Vm> vms) {
    /// One virtual machine.
    ///
    /// @param seconds from its first record to its last
    /// @param messages what its clients sent, each write of a message with many by itself
    /// @param refused messages that had no effect
    /// @param regions accesses by region; regions without any are left out
    /// @param doorbells that brought new work
    /// @param memoryBytes guest memory that was recorded at doorbells
    /// @param memoryMissingBytes guest memory that was too much to be recorded
    /// @param longestGapSeconds the longest time without a message while a client was connected
    /// @param longestGapAtSeconds when that began, from its first record
    /// @param commands what became of its commands; null below level `commands`
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
    /// @param perSecond accesses, over the time from the virtual machine's first record to its last
    public record Accesses(
            long reads, long writes, long readBytes, long writtenBytes, double perSecond) {}

    /// Commands of one virtual machine.
    ///
    /// @param withdrawn that were not started, as their channels may not run or are gone
    /// @param gpuSeconds what they were charged, on all engines
    /// @param longestWaitSeconds from submission to start
    public record Commands(
            long submitted,
            long started,
            long withdrawn,
            long completed,
            double gpuSeconds,
            double longestWaitSeconds) {}

    /// Goes through a recording.
    ///
    /// @throws RecordingException if it cannot be read to its end
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
                        // counted below
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
