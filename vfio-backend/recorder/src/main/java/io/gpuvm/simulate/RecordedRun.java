package io.gpuvm.simulate;

import io.gpuvm.record.RecordCursor;
import io.gpuvm.record.RecordLevel;
import io.gpuvm.record.RecordView;
import io.gpuvm.record.RecordedVm;
import io.gpuvm.record.Recording;
import io.gpuvm.record.RecordingException;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.measure.CommandLog;
import io.gpuvm.sched.policy.TimeShare;
import io.gpuvm.sched.sim.CommandSource;
import io.gpuvm.sched.sim.RecordedSource;
import io.gpuvm.sched.sim.Simulator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Recorded scheduling events. Immutable; its size is proportional to the number of recorded
/// commands.
public final class RecordedRun {
    /// Number of engines in recordings: graphics, and two copy engines.
    public static final int ENGINES = 3;

    private final String source;
    private final List<String> names;
    private final List<RecordedEvent> events;
    private final List<Command> commands;

    /// Start of the commands' times, relative to the first event.
    private final long startNs;

    /// Command from its submission to its end.
    private record Command(
            Channel channel,
            int engine,
            long submittedNs,
            long startedNs,
            long endedNs,
            long usedNs) {
        Command earlier(long ns) {
            return new Command(
                    channel, engine, submittedNs - ns, startedNs - ns, endedNs - ns, usedNs);
        }
    }

    /// Channel, whose commands run one after another.
    private record Channel(int vm, int number) implements Comparable<Channel> {
        @Override
        public int compareTo(Channel other) {
            return vm == other.vm
                    ? Integer.compare(number, other.number)
                    : Integer.compare(vm, other.vm);
        }
    }

    private RecordedRun(
            String source,
            List<String> names,
            List<RecordedEvent> events,
            List<Command> commands,
            long startNs) {
        this.source = source;
        this.names = List.copyOf(names);
        this.events = List.copyOf(events);
        this.commands = List.copyOf(commands);
        this.startNs = startNs;
    }

    /// Reads a recording of level `commands`.
    ///
    /// @throws RecordingException if the recording has another level, cannot be read, or lacks
    ///   records of the GPU's owner
    public static RecordedRun of(Recording recording) {
        if (recording.header().level() != RecordLevel.COMMANDS) {
            throw new RecordingException(
                    "%s: level=%s, expected=%s"
                            .formatted(
                                    recording.folder(),
                                    recording.header().level(),
                                    RecordLevel.COMMANDS));
        }
        List<RecordedEvent> events = new ArrayList<>();
        try (RecordCursor cursor = recording.cursor()) {
            long firstNs = -1;
            for (RecordView record; (record = cursor.next()) != null; ) {
                RecordedEvent event = event(recording, record, Math.max(0, firstNs));
                if (event != null && firstNs < 0) {
                    firstNs = record.timeNs();
                    event = event(recording, record, firstNs);
                }
                if (event != null) {
                    events.add(event);
                }
            }
        }
        List<String> names = recording.header().vms().stream().map(RecordedVm::name).toList();
        return new RecordedRun(recording.folder().toString(), names, events, commandsOf(events), 0);
    }

    /// Returns the part of this run after the last common start. A common start follows an interval
    /// in which no command was queued or running; after it, every virtual machine with commands
    /// submitted at least one command. The part contains the commands after the common start, and
    /// all recorded decisions. Returns an equal run if there is no common start.
    ///
    /// @param silenceNs minimum length of the interval
    public RecordedRun afterSilence(long silenceNs) {
        Map<Integer, Long> lastSubmitted = new HashMap<>();
        commands.forEach(
                command -> lastSubmitted.merge(command.channel.vm, command.submittedNs, Math::max));
        long latestNs = lastSubmitted.values().stream().mapToLong(Long::longValue).min().orElse(0);
        List<Command> inOrder = new ArrayList<>(commands);
        inOrder.sort(Comparator.comparingLong(Command::submittedNs));
        long beginNs = 0;
        long busyUntilNs = 0;
        for (Command command : inOrder) {
            boolean isSilent = command.submittedNs - busyUntilNs >= silenceNs;
            if (isSilent && command.submittedNs <= latestNs) {
                beginNs = command.submittedNs;
            }
            busyUntilNs = Math.max(busyUntilNs, command.endedNs);
        }
        long fromNs = beginNs;
        List<Command> after =
                commands.stream()
                        .filter(command -> command.submittedNs >= fromNs)
                        .map(command -> command.earlier(fromNs))
                        .toList();
        return new RecordedRun(source, names, events, after, startNs + fromNs);
    }

    private static RecordedEvent event(Recording recording, RecordView record, long firstNs) {
        long timeNs = record.timeNs() - firstNs;
        try {
            return switch (record.kind()) {
                case SUBMITTED ->
                        new RecordedEvent.Submitted(
                                timeNs,
                                vm(recording, record),
                                checked(
                                        "session",
                                        record.commandSession(),
                                        GpuScheduler.MOST_SESSIONS),
                                record.channel(),
                                engine(record));
                case STARTED ->
                        new RecordedEvent.Started(
                                timeNs, vm(recording, record), record.channel(), engine(record));
                case WITHDRAWN ->
                        new RecordedEvent.Withdrawn(
                                timeNs, vm(recording, record), record.channel(), engine(record));
                case COMPLETED ->
                        new RecordedEvent.Completed(
                                timeNs,
                                vm(recording, record),
                                record.channel(),
                                engine(record),
                                used(record));
                case CHARGED ->
                        new RecordedEvent.Charged(
                                timeNs, vm(recording, record), engine(record), used(record));
                case SHARE ->
                        new RecordedEvent.Entitled(
                                timeNs,
                                vm(recording, record),
                                new TimeShare(record.weight(), record.capPercent()));
                case POLICY ->
                        new RecordedEvent.Governed(timeNs, PolicyKind.parse(record.policy()));
                case LOST -> {
                    if (record.vm() < 0) {
                        throw new IllegalArgumentException(
                                "missing records=%d, limit=0".formatted(record.count()));
                    }
                    yield null;
                }
                default -> null;
            };
        } catch (IllegalArgumentException e) {
            throw new RecordingException(
                    "%s: record %s at %d ns: %s"
                            .formatted(
                                    recording.folder(),
                                    record.kind(),
                                    record.timeNs(),
                                    e.getMessage()),
                    e);
        }
    }

    private static int vm(Recording recording, RecordView record) {
        return checked("vm", record.commandVm(), recording.header().vms().size());
    }

    private static int engine(RecordView record) {
        return checked("engine", record.engine(), ENGINES);
    }

    private static int checked(String name, int value, int limit) {
        if (value < 0 || value >= limit) {
            throw new IllegalArgumentException(
                    "%s=%d, expected 0 to %d".formatted(name, value, limit - 1));
        }
        return value;
    }

    private static long used(RecordView record) {
        if (record.usedNs() < 0) {
            throw new IllegalArgumentException(
                    "usedNs=%d, expected at least 0".formatted(record.usedNs()));
        }
        return record.usedNs();
    }

    private static List<Command> commandsOf(List<RecordedEvent> events) {
        Map<Channel, RecordedEvent.Submitted> submitted = new HashMap<>();
        Map<Channel, RecordedEvent.Started> started = new HashMap<>();
        List<Command> commands = new ArrayList<>();
        for (RecordedEvent event : events) {
            switch (event) {
                case RecordedEvent.Submitted one ->
                        submitted.put(new Channel(one.vm(), one.channel()), one);
                case RecordedEvent.Withdrawn one ->
                        submitted.remove(new Channel(one.vm(), one.channel()));
                case RecordedEvent.Started one ->
                        started.put(new Channel(one.vm(), one.channel()), one);
                case RecordedEvent.Completed one -> {
                    Channel channel = new Channel(one.vm(), one.channel());
                    RecordedEvent.Submitted came = submitted.remove(channel);
                    RecordedEvent.Started began = started.remove(channel);
                    // Commands that were in flight at the start of the recording are incomplete.
                    if (came != null && began != null) {
                        commands.add(
                                new Command(
                                        channel,
                                        one.engine(),
                                        came.timeNs(),
                                        began.timeNs(),
                                        one.timeNs(),
                                        one.usedNs()));
                    }
                }
                case RecordedEvent.Charged _,
                        RecordedEvent.Entitled _,
                        RecordedEvent.Governed _ -> {
                    // This event is not part of a command.
                }
            }
        }
        return commands;
    }

    /// Returns the name of the run for errors.
    String source() {
        return source;
    }

    /// Returns the events in order.
    List<RecordedEvent> events() {
        return events;
    }

    /// Returns the names of the virtual machines, by number.
    public List<String> names() {
        return names;
    }

    /// Returns the time from the first event, or from the common start, to the last event.
    public long lengthNs() {
        return events.isEmpty() ? 0 : events.getLast().timeNs() - startNs;
    }

    /// Returns the latest of the virtual machines' first submission times. At that time, every
    /// virtual machine with commands has submitted at least one command.
    public long allSubmittedNs() {
        Map<Integer, Long> first = new HashMap<>();
        commands.forEach(
                command -> first.merge(command.channel.vm, command.submittedNs, Math::min));
        return first.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /// Returns the first policy; FIFO if the recording contains no policy.
    public PolicyKind policy() {
        for (RecordedEvent event : events) {
            if (event instanceof RecordedEvent.Governed governed) {
                return governed.policy();
            }
        }
        return PolicyKind.FIFO;
    }

    /// Returns the first time share of each virtual machine, by number.
    public List<TimeShare> shares() {
        TimeShare[] shares = new TimeShare[names.size()];
        for (RecordedEvent event : events) {
            if (event instanceof RecordedEvent.Entitled one && shares[one.vm()] == null) {
                shares[one.vm()] = one.share();
            }
        }
        List<TimeShare> all = new ArrayList<>();
        for (TimeShare share : shares) {
            all.add(share == null ? TimeShare.EQUAL : share);
        }
        return List.copyOf(all);
    }

    /// Returns the completed commands, as recorded.
    public CommandLog log() {
        CommandLog log = new CommandLog(commands.size());
        for (Command command : commands) {
            log.add(
                    command.channel.vm,
                    command.engine,
                    command.submittedNs,
                    command.startedNs,
                    command.endedNs,
                    command.usedNs);
        }
        return log;
    }

    /// Adds the virtual machines with their first time shares. Each channel becomes a source. In a
    /// closed loop, a command is submitted after the end of the previous command with the recorded
    /// delay, and the first command follows the last; otherwise each command is submitted at its
    /// recorded time.
    public void addTo(Simulator simulator, boolean closedLoop) {
        List<TimeShare> shares = shares();
        int[] numbers = new int[names.size()];
        for (int vm = 0; vm < numbers.length; vm++) {
            numbers[vm] = simulator.attach(names.get(vm), shares.get(vm));
        }
        Map<Channel, List<Command>> channels = new TreeMap<>();
        commands.forEach(command ->
                channels.computeIfAbsent(command.channel, _ -> new ArrayList<>()).add(command));
        channels.forEach(
                (channel, own) -> simulator.add(numbers[channel.vm], source(own, closedLoop)));
    }

    private static CommandSource source(List<Command> own, boolean closedLoop) {
        int[] engines = own.stream().mapToInt(Command::engine).toArray();
        long[] lengths = own.stream().mapToLong(Command::usedNs).toArray();
        long[] times = new long[own.size()];
        long endNs = 0;
        for (int i = 0; i < times.length; i++) {
            long submittedNs = own.get(i).submittedNs;
            times[i] = closedLoop ? Math.max(0, submittedNs - endNs) : submittedNs;
            endNs = own.get(i).endedNs;
        }
        return closedLoop
                ? RecordedSource.closedLoop(engines, lengths, times, true)
                : RecordedSource.openLoop(engines, lengths, times);
    }
}
