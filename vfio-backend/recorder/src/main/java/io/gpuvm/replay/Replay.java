package io.gpuvm.replay;

import io.gpuvm.gf100.reg.Pbfb;
import io.gpuvm.gf100.reg.RegisterMap;
import io.gpuvm.linux.EventFd;
import io.gpuvm.record.RecordCursor;
import io.gpuvm.record.RecordView;
import io.gpuvm.record.RecordedRegion;
import io.gpuvm.record.Recording;
import io.gpuvm.trap.client.VfioUserClient;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/// Replay of a guest's messages to another GPU, by a client without a virtual machine.
///
/// Writes are sent as recorded; posted writes are sent without waiting. A replay waits for the same
/// events as the guest: if the guest polled for the recorded value, or if only the GPU's work can
/// produce the value, the replay repeats the read until the GPU returns that value ([GuestWaits]).
/// If the value does not appear in time, the read is counted and the replay continues. Values of
/// all other reads are compared once, except those of clocks. Confined to one thread.
public final class Replay implements AutoCloseable {
    private static final int BAR0 = 0;

    private static final long POLL_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long NEWS_LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    /// Number of consecutive reads before the replay sleeps.
    private static final int EAGER_READS = 20;

    /// Number of unmet polls after which the replay no longer waits for the GPU.
    private static final int UNMET_LIMIT = 20;

    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(200);

    /// Maximum time by which a record may be sent early, so that it is part of a burst of messages.
    private static final long AHEAD_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Number of messages between two reports of progress.
    private static final int STEP = 1 << 16;

    private static final int DIFFERENT_LIMIT = 20;

    private final Recording recording;
    private final ReplayPlan plan;
    private final Pace pace;
    private final VfioUserClient client;
    private final EndStateReader state;
    private final ReplayedMemory memory;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment data = arena.allocate(VfioUserClient.MAX_READ_BYTES, Long.BYTES);
    private final List<EventFd> events = new ArrayList<>();
    private final List<String> different = new ArrayList<>();
    private final Map<String, Long> differencesAt = new TreeMap<>();

    /// Registers and words at which the GPU did not return the recorded value in time; the replay
    /// does not wait for them again.
    private final Set<Long> unmetPlaces = new HashSet<>();

    private long startNs;
    private long firstNs;
    private long lastNs;
    private long messages;
    private int reads;
    private long polls;
    private long repetitions;
    private long unmet;
    private long looks;
    private long differences;

    private Replay(Recording recording, ReplayPlan plan, Path socket, Pace pace) {
        this.recording = recording;
        this.plan = plan;
        this.pace = pace;
        memory = new ReplayedMemory(plan.ramBytes());
        try {
            client = new VfioUserClient(socket);
        } catch (RuntimeException e) {
            memory.close();
            throw e;
        }
        state = new EndStateReader(client.negotiate());
    }

    /// Replays the first connection of a virtual machine.
    ///
    /// @param name name of the virtual machine, null for the only virtual machine
    /// @param socket socket of a backend that serves a GPU with the same size of VRAM
    /// @param progress receives the percentage of processed records, from time to time
    /// @throws ReplayException if the recording cannot be replayed, or not on this GPU
    /// @throws io.gpuvm.record.RecordingException if the recording cannot be read
    /// @throws io.gpuvm.trap.client.ServerGoneException if the backend closes the connection
    public static ReplayResult run(
            Recording recording, String name, Path socket, Pace pace, LongConsumer progress)
            throws InterruptedException {
        return run(recording, name, socket, pace, progress, _ -> false);
    }

    /// Replays like the other overload, on a GPU whose VRAM is slow to read and most of whose VRAM
    /// is known to be blank.
    ///
    /// @param blank numbers of pages of 4 KiB that should be blank: one word per 512 bytes is read,
    ///   and the whole page if one of these words is not zero
    public static ReplayResult run(
            Recording recording,
            String name,
            Path socket,
            Pace pace,
            LongConsumer progress,
            IntPredicate blank)
            throws InterruptedException {
        ReplayPlan plan = ReplayPlan.of(recording, name);
        try (Replay replay = new Replay(recording, plan, socket, pace)) {
            return replay.run(progress, blank);
        }
    }

    private ReplayResult run(LongConsumer progress, IntPredicate blank)
            throws InterruptedException {
        startNs = System.nanoTime();
        long done = 0;
        try (RecordCursor cursor = recording.cursor()) {
            while (done < plan.records()) {
                RecordView record = cursor.next();
                if (record.vm() != plan.vm()) {
                    continue;
                }
                if (done++ % STEP == 0) {
                    progress.accept(100 * done / plan.records());
                    checkNotInterrupted();
                }
                await(record);
                send(record);
            }
        }
        client.flush();
        double seconds = seconds(System.nanoTime() - startNs);
        return new ReplayResult(
                plan.recorded().name(),
                pace.toString(),
                messages,
                seconds,
                seconds(lastNs - firstNs),
                polls,
                repetitions,
                unmet,
                looks,
                differences,
                Map.copyOf(differencesAt),
                List.copyOf(different),
                state.read(plan.recorded().vramBytes(), blank));
    }

    private static void checkNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /// Waits until a record is due.
    private void await(RecordView record) throws InterruptedException {
        firstNs = firstNs == 0 ? record.timeNs() : firstNs;
        lastNs = record.timeNs();
        if (pace.equals(Pace.FULL)) {
            return;
        }
        long dueNs = startNs + pace.dueNs(record.timeNs() - firstNs);
        if (dueNs - System.nanoTime() > AHEAD_NS) {
            client.flush();
            TimeUnit.NANOSECONDS.sleep(dueNs - System.nanoTime());
        }
    }

    private void send(RecordView record) throws InterruptedException {
        messages++;
        switch (record.kind()) {
            case READ -> read(record);
            case WRITE -> write(record);
            case DMA_MAP -> map(record);
            case DMA_UNMAP -> client.unmap(record.flags(), record.guestPhys(), record.rangeBytes());
            case SET_IRQS -> setIrqs(record);
            case RESET -> client.reset();
            case MEMORY -> {
                messages--;
                memory.write(record);
            }
            default -> messages--; // not a message, or a message without effect
        }
    }

    private void write(RecordView record) {
        int bytes = record.dataBytes();
        record.copyData(data, 0);
        if (record.posted()) {
            client.post(record.region(), record.offset(), data, bytes);
        } else {
            client.write(record.region(), record.offset(), data, bytes);
        }
    }

    private void map(RecordView record) {
        long at = record.guestPhys();
        if (record.shared()) {
            // The file is as long as the guest's address space, so that addresses are its offsets.
            client.map(record.flags(), at, at, record.rangeBytes(), memory.descriptor());
        } else {
            client.map(record.flags(), 0, at, record.rangeBytes());
        }
    }

    private void setIrqs(RecordView record) {
        int[] descriptors = new int[record.irqDescriptors()];
        for (int i = 0; i < descriptors.length; i++) {
            EventFd event = EventFd.create();
            events.add(event);
            descriptors[i] = event.descriptor();
        }
        client.setIrqs(
                record.flags(),
                record.irqIndex(),
                record.irqStart(),
                record.irqCount(),
                descriptors);
    }

    private void read(RecordView record) throws InterruptedException {
        int number = reads++;
        int bytes = record.dataBytes();
        if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
            client.read(record.region(), record.offset(), bytes, data);
            return;
        }
        long answer = client.read(record.region(), record.offset(), bytes);
        switch (plan.waits().of(number)) {
            case END -> repeat(record, answer, POLL_LIMIT_NS);
            case NEWS -> repeat(record, answer, NEWS_LIMIT_NS);
            case LOOK -> compare(record, answer);
            case WAIT -> {
                // The number of polls without a result is irrelevant.
            }
        }
    }

    private void compare(RecordView record, long answer) {
        if (GuestReads.isTimer(record)) {
            return;
        }
        looks++;
        if (GuestReads.stable(record, answer) != GuestReads.stable(record, record.value())) {
            requireSameVram(record, answer);
            differences++;
            differencesAt.merge(placeOf(record), 1L, Long::sum);
            note(record, answer);
        }
    }

    private void repeat(RecordView record, long firstAnswer, long limitNs)
            throws InterruptedException {
        polls++;
        long expected = GuestReads.stable(record, record.value());
        boolean inVain = unmet >= UNMET_LIMIT || unmetPlaces.contains(GuestWaits.placeOf(record));
        long deadlineNs = System.nanoTime() + (inVain ? 0 : limitNs);
        long answer = firstAnswer;
        for (int i = 0; !isMet(record, answer, expected); i++) {
            if (System.nanoTime() - deadlineNs > 0) {
                unmet++;
                unmetPlaces.add(GuestWaits.placeOf(record));
                note(record, answer);
                return;
            }
            if (i >= EAGER_READS) {
                TimeUnit.NANOSECONDS.sleep(NAP_NS);
            }
            repetitions++;
            answer = client.read(record.region(), record.offset(), record.dataBytes());
        }
    }

    /// Returns whether a value is as expected. More interrupts may be pending than recorded.
    private static boolean isMet(RecordView record, long answer, long expected) {
        return GuestReads.isInterrupt(record)
                ? (answer & expected) == expected
                : answer == expected;
    }

    private static void requireSameVram(RecordView record, long answer) {
        boolean size =
                record.offset() == Pbfb.BROADCAST_MEM_AMOUNT.offset() && record.region() == BAR0;
        if (size) {
            throw new ReplayException(
                    "VRAM per partition=%d MiB, expected=%d MiB (recorded)"
                            .formatted(answer, record.value()));
        }
    }

    private static String placeOf(RecordView record) {
        RecordedRegion region = RecordedRegion.of(record.region(), record.offset());
        return region == RecordedRegion.BAR0
                ? RegisterMap.gf100().nameOf((int) record.offset())
                : region.name();
    }

    private void note(RecordView record, long answer) {
        if (different.size() < DIFFERENT_LIMIT) {
            String where =
                    record.region() == BAR0
                            ? RegisterMap.gf100().nameOf((int) record.offset())
                            : "region %d+%#x".formatted(record.region(), record.offset());
            different.add(
                    "read %d, %s: %#x, recorded %#x"
                            .formatted(reads - 1, where, answer, record.value()));
        }
    }

    private static double seconds(long ns) {
        return ns / (double) TimeUnit.SECONDS.toNanos(1);
    }

    @Override
    public void close() {
        client.close();
        memory.close();
        events.forEach(EventFd::close);
        arena.close();
    }
}
