package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CompletionEntry;
import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.SubmitCommand;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.remote.link.Lane;
import io.gpuvm.remote.link.Link;
import io.gpuvm.remote.link.LinkFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// End of a paravirtual session on the backend's host: a guest of the backend. It passes the
/// program's commands to the backend when the data that precede them have been received, and sends
/// changes in rounds:
///
/// ```text
///  LOOK: completions, news, slots, --> COMPARE: send changed --> SEND: fences, slots,
///   ^      then fences                   words                     completions, news
///   |                                                                     |
///   +---------------------------------------------------------------------+
/// ```
///
/// Words are compared after everything that announces them has been read; the program therefore
/// never sees an announcement without the data. A round begins only with an announcement.
///
/// The peer is not trusted, and the backend trusts neither: frames are parsed within their lengths,
/// and all memory is bounded by the data area and by constants.
final class PvGuestEnd implements GuestEnd {
    /// Maximum number of completions of a round.
    private static final int MOST_COMPLETIONS = 256;

    /// Maximum number of commands that one call passes on, so that other sessions are not delayed.
    private static final int MOST_COMMANDS = 256;

    private enum Step {
        LOOK,
        COMPARE,
        SEND
    }

    private final SharedArea area;
    private final RingProducer submissions;
    private final RingConsumer completions;
    private final Runnable ring;
    private final AreaTwin twin;
    private final DeclaredFences fences = new DeclaredFences();
    private final MemorySegment entry = Arena.ofAuto().allocate(RingEntry.BYTES, Long.BYTES);
    private final SubmitCommand submit = new SubmitCommand().wrap(entry, 0);
    private final PvCommands commands;
    private final WordsSender sender;
    private final WordsReceiver receiver;
    private final FenceExchange fenceExchange;
    private final SlotsSender slots;
    private final EntryReader calls;
    private final EntryBatch answers;
    private final Link link;
    private final LookPace pace = new LookPace();
    private final MemorySegment none = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);

    /// Completions of the current round.
    private final MemorySegment taken =
            Arena.ofAuto().allocate(MOST_COMPLETIONS * RingEntry.BYTES, Long.BYTES);

    private int count;
    private int sent;
    private Step step = Step.LOOK;

    /// News at the last look, and the last that were sent.
    private int news;

    private int sentNews;

    /// True if a command to create a channel has been passed on.
    private boolean mayHaveChannels;

    /// True if a command has been passed on by which the GPU or the backend writes to the data
    /// area.
    private boolean mayHaveChanges;

    private boolean isStalled;

    /// @param area area of the backend
    /// @param signal wakes the sleeping backend
    PvGuestEnd(SharedArea area, Link link, Runnable signal) {
        this.area = area;
        this.link = link;
        submissions = area.submissionProducer();
        completions = area.completionConsumer();
        ring = area.hostDoorbell(signal)::ring;
        twin = new AreaTwin(area.data());
        commands = new PvCommands(area.data(), twin, fences, entry, area.limits().mappedPages());
        sender = new WordsSender(link, twin, commands.pages(), fences);
        receiver = new WordsReceiver(link, twin);
        fenceExchange = new FenceExchange(link, twin, fences);
        slots = new SlotsSender(area, link);
        calls = new EntryReader(link, SessionFrame.ENTRIES);
        answers = new EntryBatch(link, SessionFrame.COMPLETIONS);
    }

    @Override
    public int doWork(long nowNs) {
        return receive(nowNs) + send(nowNs);
    }

    @Override
    public long nanosUntilWork(long nowNs) {
        if (isStalled) {
            return STALL_NS;
        }
        return step == Step.LOOK && mayHaveChanges && slots.hasOpen()
                ? pace.intervalNs(nowNs)
                : Long.MAX_VALUE;
    }

    private int receive(long nowNs) {
        int work = receiver.work();
        int passed = 0;
        isStalled = false;
        LinkFrame frame = link.peek(Lane.CALLS);
        while (frame != null && passed < MOST_COMMANDS) {
            if (frame.type() == SessionFrame.FENCES) {
                if (!fenceExchange.store(frame, receiver.frames())) {
                    break;
                }
                link.release(Lane.CALLS);
                work++;
            } else if (!calls.begin(receiver.frames())) {
                break;
            } else if (!calls.hasEntry()) {
                calls.end();
                work++;
            } else if (pass(nowNs)) {
                passed++;
            } else {
                isStalled = true;
                break;
            }
            frame = link.peek(Lane.CALLS);
        }
        if (passed > 0) {
            ring.run();
        }
        return work + passed;
    }

    /// Passes the next command to the backend.
    ///
    /// @return false if the ring is full
    private boolean pass(long nowNs) {
        long from = calls.entry();
        long at = submissions.claim();
        if (at == RingProducer.FULL) {
            return false;
        }
        MemorySegment.copy(calls.memory(), from, entry, 0, RingEntry.BYTES);
        switch (commands.follow()) {
            case CommandOpcode.SUBMIT -> {
                slots.watch(submit.channel());
                mayHaveChanges = true;
                pace.touch(nowNs);
            }
            case CommandOpcode.CHANNEL_CREATE -> mayHaveChannels = true;
            case CommandOpcode.STATISTICS -> mayHaveChanges = true;
            case null, default -> {
                // The command has no effect on slots and data.
            }
        }
        MemorySegment.copy(
                entry,
                RingEntry.CORRELATION,
                submissions.memory(),
                at + RingEntry.CORRELATION,
                RingEntry.BYTES - RingEntry.CORRELATION);
        submissions.publish(entry.get(WireType.U32, RingEntry.TAG));
        calls.take(0);
        return true;
    }

    private int send(long nowNs) {
        int work = 0;
        while (true) {
            switch (step) {
                case LOOK -> {
                    if (!look()) {
                        return work;
                    }
                    pace.touch(nowNs);
                    work++;
                }
                case COMPARE -> {
                    boolean hasRoom = sender.work();
                    if (!sender.isDone()) {
                        return work + (hasRoom ? 1 : 0);
                    }
                    step = Step.SEND;
                }
                case SEND -> {
                    if (!fenceExchange.work(sender.frames())
                            || !slots.work(sender.frames())
                            || !sendCompletions()) {
                        return work;
                    }
                    step = Step.LOOK;
                }
            }
        }
    }

    /// Reads all announcements, and begins a round if there are any. The fences are last: a
    /// completion or an event may announce a fence.
    private boolean look() {
        count = 0;
        sent = 0;
        while (count < MOST_COMPLETIONS && completions.poll()) {
            MemorySegment.copy(
                    completions.entry(), 0, taken, (long) count * RingEntry.BYTES, RingEntry.BYTES);
            count++;
        }
        if (count > 0) {
            completions.release();
        }
        news = area.news();
        boolean isNews = news != sentNews;
        boolean isMoved = slots.look(mayHaveChannels && count > 0);
        boolean isFence = fences.look(twin);
        fenceExchange.begin();
        boolean isToCompare =
                mayHaveChanges && (count > 0 || isNews || isFence || slots.hasChangedStates());
        if (isToCompare) {
            sender.begin();
            step = Step.COMPARE;
            return true;
        }
        if (count > 0 || isNews || isMoved || isFence) {
            step = Step.SEND;
            return true;
        }
        return false;
    }

    private boolean sendCompletions() {
        for (; sent < count; sent++) {
            if (!answers.hasRoom(0)) {
                return false;
            }
            long at = (long) sent * RingEntry.BYTES;
            commands.pages()
                    .onCompletion(
                            taken.get(WireType.U64, at + RingEntry.CORRELATION),
                            taken.get(WireType.U32, at + RingEntry.TAG),
                            taken.get(WireType.U64, at + CompletionEntry.DONE));
            answers.add(taken, at, none, 0);
        }
        if (!answers.isEmpty() || news != sentNews) {
            if (!answers.hasRoom(0)) {
                return false;
            }
            answers.send(sender.frames(), Integer.toUnsignedLong(news));
            sentNews = news;
        }
        return true;
    }

    @Override
    public void close() {
        twin.close();
    }
}
