package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.CompletionEntry;
import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.remote.link.Lane;
import io.gpuvm.remote.link.Link;
import io.gpuvm.remote.link.LinkFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// End of a paravirtual session on the program's host: takes the place of the backend in the
/// program's area. Before a command that may make the GPU or the backend read the data area, it
/// sends what the program has written there.
///
/// It sends in rounds:
///
/// ```text
///  TAKE: commands and fences --> COMPARE: send changed words --> SEND: fences, then commands
///   ^      (COMPARE only if a command or a fence requires it)                      |
///   +------------------------------------------------------------------------------+
/// ```
final class PvHostEnd implements HostEnd {
    /// Maximum number of commands of a round.
    private static final int MOST_COMMANDS = 64;

    private enum Step {
        TAKE,
        COMPARE,
        SEND
    }

    private final SharedArea area;
    private final RingConsumer submissions;
    private final RingProducer completions;
    private final Runnable ring;
    private final AreaTwin twin;
    private final DeclaredFences fences = new DeclaredFences();
    private final PvCommands commands;
    private final WordsSender sender;
    private final WordsReceiver receiver;
    private final FenceExchange fenceExchange;
    private final SlotsReceiver slots;
    private final EntryBatch entries;
    private final EntryReader answers;
    private final Link link;
    private final LookPace pace = new LookPace();
    private final MemorySegment none = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);

    /// Commands of the current round.
    private final MemorySegment taken =
            Arena.ofAuto().allocate(MOST_COMMANDS * RingEntry.BYTES, Long.BYTES);

    private int count;
    private int sent;
    private Step step = Step.TAKE;
    private boolean isStalled;

    /// @param signal wakes the sleeping program
    PvHostEnd(SharedArea area, Link link, Runnable signal) {
        this.area = area;
        this.link = link;
        submissions = area.submissionConsumer();
        completions = area.completionProducer();
        ring = area.guestDoorbell(signal)::ring;
        twin = new AreaTwin(area.data());
        commands =
                new PvCommands(
                        area.data(),
                        twin,
                        fences,
                        submissions.entry(),
                        area.limits().mappedPages());
        sender = new WordsSender(link, twin, commands.pages(), fences);
        receiver = new WordsReceiver(link, twin);
        fenceExchange = new FenceExchange(link, twin, fences);
        slots = new SlotsReceiver(area);
        entries = new EntryBatch(link, SessionFrame.ENTRIES);
        answers = new EntryReader(link, SessionFrame.COMPLETIONS);
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
        return step == Step.TAKE && !fences.isEmpty() ? pace.intervalNs(nowNs) : Long.MAX_VALUE;
    }

    @Override
    public boolean isStalled() {
        return isStalled;
    }

    private int receive(long nowNs) {
        int work = receiver.work();
        int frames = 0;
        isStalled = false;
        while (apply()) {
            frames++;
        }
        if (frames > 0 || isStalled) {
            ring.run();
        }
        if (frames > 0) {
            pace.touch(nowNs);
        }
        return work + frames;
    }

    /// Applies the next frame on the lane of calls.
    ///
    /// @return false if there is none, or it cannot be applied completely yet
    private boolean apply() {
        LinkFrame frame = link.peek(Lane.CALLS);
        if (frame == null) {
            return false;
        }
        boolean isApplied =
                switch (frame.type()) {
                    case SessionFrame.FENCES -> fenceExchange.store(frame, receiver.frames());
                    case SessionFrame.SLOTS -> slots.storeSlots(frame, receiver.frames());
                    case SessionFrame.POSITIONS -> slots.storePositions(frame, receiver.frames());
                    default -> complete();
                };
        if (isApplied) {
            link.release(Lane.CALLS);
        }
        return isApplied;
    }

    /// Passes the completions and news of a frame to the program.
    ///
    /// @return false if words are missing, or if the program's ring is full
    private boolean complete() {
        if (!answers.begin(receiver.frames())) {
            return false;
        }
        while (answers.hasEntry()) {
            long entry = answers.entry();
            long at = completions.claim();
            if (at == RingProducer.FULL) {
                isStalled = true;
                return false;
            }
            MemorySegment from = answers.memory();
            MemorySegment.copy(
                    from,
                    entry + RingEntry.CORRELATION,
                    completions.memory(),
                    at + RingEntry.CORRELATION,
                    RingEntry.BYTES - RingEntry.CORRELATION);
            int status = from.get(WireType.U32, entry + RingEntry.TAG);
            commands.pages()
                    .onCompletion(
                            from.get(WireType.U64, entry + RingEntry.CORRELATION),
                            status,
                            from.get(WireType.U64, entry + CompletionEntry.DONE));
            completions.publish(status);
            answers.take(0);
        }
        area.news((int) answers.retired());
        answers.finish();
        return true;
    }

    private int send(long nowNs) {
        int work = 0;
        while (true) {
            switch (step) {
                case TAKE -> {
                    if (!take()) {
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
                    if (!fenceExchange.work(sender.frames()) || !sendCommands()) {
                        return work;
                    }
                    step = Step.TAKE;
                }
            }
        }
    }

    /// Takes commands and looks at fences, and begins a round if there are any.
    private boolean take() {
        count = 0;
        sent = 0;
        boolean isToCompare = false;
        while (count < MOST_COMMANDS && submissions.poll()) {
            isToCompare |= PvCommands.mayRead(commands.follow());
            MemorySegment.copy(
                    submissions.entry(), 0, taken, (long) count * RingEntry.BYTES, RingEntry.BYTES);
            count++;
        }
        if (count > 0) {
            submissions.release();
        }
        isToCompare |= fences.look(twin);
        if (isToCompare) {
            sender.begin();
        }
        fenceExchange.begin();
        step = isToCompare ? Step.COMPARE : count > 0 ? Step.SEND : Step.TAKE;
        return step != Step.TAKE;
    }

    private boolean sendCommands() {
        for (; sent < count; sent++) {
            if (!entries.hasRoom(0)) {
                return false;
            }
            entries.add(taken, (long) sent * RingEntry.BYTES, none, 0);
        }
        if (!entries.isEmpty()) {
            entries.send(sender.frames(), 0);
        }
        return true;
    }

    @Override
    public void close() {
        twin.close();
    }
}
