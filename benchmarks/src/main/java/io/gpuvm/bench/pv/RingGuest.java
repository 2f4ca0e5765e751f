package io.gpuvm.bench.pv;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.push.Fences;
import io.gpuvm.gf100.push.PushBuffer;
import io.gpuvm.pv.protocol.ChannelCreateCommand;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.CompletionEntry;
import io.gpuvm.pv.protocol.FenceQueryCommand;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.MapCommand;
import io.gpuvm.pv.protocol.MapOptions;
import io.gpuvm.pv.protocol.SubmitCommand;
import io.gpuvm.pv.protocol.UnmapCommand;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.remote.SocketConnection;
import io.gpuvm.pv.ring.Doorbell;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Guest for measurements, which only fills and empties rings, and never sleeps. Confined to one
/// thread.
///
/// ```text
///   0         1000           4000       offset in the data area
///  +---------+--------------+----------+
///  | GPFIFO  | push buffers | fence    |
///  +---------+--------------+----------+
/// ```
public final class RingGuest implements AutoCloseable {
    /// Number of commands per batch, a multiple of the number of kinds of commands in a batch.
    static final int BATCH = 64;

    /// Number of NOPs per burst.
    static final int BURST = 128;

    private static final int KINDS = 4;
    private static final VarHandle FENCE = WireType.U32.varHandle();
    private static final long PAGE = 1 << 12;
    private static final long PUSH = PAGE;
    private static final long WORD = 4 * PAGE;
    private static final long OWN_BYTES = 5 * PAGE;
    private static final long OWN_VA = 1L << 28;
    private static final long SCRATCH_VA = 1L << 30;
    private static final long BULK_VA = 1L << 32;
    private static final int RING_ORDER = 9;
    private static final int RING_MASK = (1 << RING_ORDER) - 1;
    private static final int PUSH_BYTES = Fences.WORDS * Integer.BYTES;
    private static final int ANY_DONE = -1;

    /// Number of polls between two readings of the clock.
    private static final int LOOKS = 1 << 16;

    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    private final SocketConnection connection;
    private final MemorySegment data;
    private final RingProducer ring;
    private final MemorySegment memory;
    private final RingConsumer answers;
    private final Doorbell doorbell;
    private final CommandEntry command = new CommandEntry();
    private final MapCommand map = new MapCommand();
    private final UnmapCommand unmap = new UnmapCommand();
    private final SubmitCommand submit = new SubmitCommand();
    private final FenceQueryCommand query = new FenceQueryCommand();
    private final CompletionEntry answer;
    private final PushBuffer push;
    private final int space;
    private final int channel;
    private long sent;
    private int submissions;

    /// @param socket socket of a backend
    public RingGuest(Path socket) {
        connection = SocketConnection.open(socket, 0);
        data = connection.area().data();
        push = new PushBuffer(data);
        ring = connection.area().submissionProducer();
        memory = ring.memory();
        answers = connection.area().completionConsumer();
        answer = new CompletionEntry().wrap(answers.entry(), 0);
        doorbell = connection.area().hostDoorbell(connection::wakeHost);
        begin(command);
        space = (int) send(CommandOpcode.SPACE_CREATE);
        begin(map);
        map.space(space)
                .options(MapOptions.AUTO)
                .gpuVa(OWN_VA)
                .memory(Handle.DATA_AREA)
                .offset(0)
                .bytes(OWN_BYTES);
        send(CommandOpcode.MAP);
        ChannelCreateCommand create = new ChannelCreateCommand();
        begin(create);
        create.space(space).ringOrder(RING_ORDER).ringGpuVa(OWN_VA);
        channel = (int) send(CommandOpcode.CHANNEL_CREATE);
    }

    /// Sends NOPs one by one, each after the completion of the previous NOP.
    ///
    /// @param count maximum number of NOPs
    public Repetitions.Timing roundTrips(int count) {
        Repetitions all = new Repetitions(count);
        while (all.next()) {
            begin(command);
            send(CommandOpcode.NOP);
        }
        return all.end(1);
    }

    /// Sends NOPs in bursts, two of which are in flight, until all have completed.
    ///
    /// @param bursts maximum number of bursts
    Repetitions.Timing nops(int bursts) {
        long answered = sent;
        Repetitions all = new Repetitions(bursts);
        while (all.next()) {
            while (sent - answered > BURST) {
                answered = takeAnswers(answered);
            }
            for (int i = 0; i < BURST; i++) {
                begin(command);
                ring.publish(CommandEntry.tag(CommandOpcode.NOP, 0));
            }
            doorbell.ring();
        }
        while (answered < sent) {
            answered = takeAnswers(answered);
        }
        return all.end(BURST);
    }

    /// Waits for completions, and consumes all available completions.
    ///
    /// @param next correlation of the first completion
    /// @return correlation after the last completion
    private long takeAnswers(long next) {
        if (!answers.poll()) {
            spinForAnswer();
        }
        do {
            check(answer.correlation() == next++);
        } while (answers.poll());
        answers.release();
        return next;
    }

    /// Sends batches of 64 commands, a quarter each of maps, submissions of one fence, queries of
    /// that fence, and unmaps of the mapped pages. Each batch completes before the next is sent.
    ///
    /// @param count maximum number of batches
    /// @return timing until the GPU has completed the submitted work
    Repetitions.Timing batches(int count) {
        Repetitions all = new Repetitions(count);
        while (all.next()) {
            long first = sent;
            for (int n = 0; n < BATCH / KINDS; n++) {
                mix(SCRATCH_VA + n * PAGE);
            }
            doorbell.ring();
            awaitAnswers(first, BATCH, ANY_DONE);
        }
        awaitFence(submissions);
        return all.end(BATCH);
    }

    private void mix(long gpuVa) {
        begin(map);
        map.space(space)
                .options(MapOptions.SMALL)
                .gpuVa(gpuVa)
                .memory(Handle.DATA_AREA)
                .offset(0)
                .bytes(PAGE);
        ring.publish(CommandEntry.tag(CommandOpcode.MAP, 0));
        begin(submit);
        submit.channel(channel).put(pushFence());
        ring.publish(CommandEntry.tag(CommandOpcode.SUBMIT, 0));
        begin(query);
        query.offset(WORD);
        ring.publish(CommandEntry.tag(CommandOpcode.FENCE_QUERY, 0));
        begin(unmap);
        unmap.space(space).gpuVa(gpuVa).bytes(PAGE);
        ring.publish(CommandEntry.tag(CommandOpcode.UNMAP, 0));
    }

    /// Submits the release of a fence, and polls memory until the GPU has written it.
    ///
    /// @param count maximum number of submissions
    Repetitions.Timing throughTheGpu(int count) {
        Repetitions all = new Repetitions(count);
        while (all.next()) {
            begin(submit);
            submit.channel(channel).put(pushFence());
            ring.publish(CommandEntry.tag(CommandOpcode.SUBMIT, CommandEntry.QUIET));
            doorbell.ring();
            awaitFence(submissions);
        }
        return all.end(1);
    }

    /// Maps pages of 4 KiB with one batch of commands, each of which maps the start of the data
    /// area.
    ///
    /// @param pieces number of commands in the batch, at most 64
    /// @param pagesOfPiece number of pages that each command maps
    /// @return number of pages, and the time until the last completion
    Repetitions.Timing map(int pieces, int pagesOfPiece) {
        long bytes = pagesOfPiece * PAGE;
        long first = sent;
        Repetitions once = new Repetitions(1);
        once.next();
        for (int i = 0; i < pieces; i++) {
            begin(map);
            map.space(space)
                    .options(MapOptions.SMALL)
                    .gpuVa(BULK_VA + i * bytes)
                    .memory(Handle.DATA_AREA)
                    .offset(0)
                    .bytes(bytes);
            ring.publish(CommandEntry.tag(CommandOpcode.MAP, 0));
        }
        doorbell.ring();
        awaitAnswers(first, pieces, bytes);
        return once.end((double) pieces * pagesOfPiece);
    }

    /// Unmaps the pages that [#map] has mapped.
    ///
    /// @return number of pages, and the time until the last completion
    Repetitions.Timing unmap(int pieces, int pagesOfPiece) {
        Repetitions once = new Repetitions(1);
        once.next();
        begin(unmap);
        unmap.space(space).gpuVa(BULK_VA).bytes(pieces * pagesOfPiece * PAGE);
        send(CommandOpcode.UNMAP);
        return once.end((double) pieces * pagesOfPiece);
    }

    @Override
    public void close() {
        connection.close();
    }

    /// Writes the release of the next fence, and an entry for it in the channel's ring.
    ///
    /// @return index of the first entry of the ring that the GPU must not read
    private int pushFence() {
        int index = submissions & RING_MASK;
        long at = PUSH + (long) index * PUSH_BYTES;
        submissions++;
        // The GPU must have read an entry before it is overwritten.
        awaitFence(submissions - RING_MASK);
        Fences.release(push.moveTo(at), OWN_VA + WORD, submissions);
        data.setAtIndex(WireType.U64, index, GpfifoEntry.of(OWN_VA + at, Fences.WORDS));
        return submissions & RING_MASK;
    }

    private void begin(CommandEntry window) {
        long at = ring.claim();
        if (at == RingProducer.FULL) {
            throw new IllegalStateException("the submission ring is full");
        }
        window.wrap(memory, at).correlation(sent++);
    }

    /// @return result of the command
    private long send(CommandOpcode opcode) {
        ring.publish(CommandEntry.tag(opcode, 0));
        doorbell.ring();
        awaitAnswers(sent - 1, 1, ANY_DONE);
        return answer.result();
    }

    /// Waits until all given commands have completed, in any order.
    ///
    /// @param first correlation of the first command; consecutive commands have consecutive
    ///   correlations
    /// @param count number of commands, at most 64
    /// @param done number of bytes that each command must have processed, or [#ANY_DONE]
    private void awaitAnswers(long first, int count, long done) {
        long missing = -1L >>> Long.SIZE - count;
        while (missing != 0) {
            if (!answers.poll()) {
                spinForAnswer();
            }
            long which = answer.correlation() - first;
            check(which >= 0 && which < count && (missing >>> which & 1) != 0);
            check(done == ANY_DONE || done == answer.done());
            missing &= ~(1L << which);
        }
        answers.release();
    }

    private void spinForAnswer() {
        long endNs = System.nanoTime() + LIMIT_NS;
        int looks = 0;
        while (!answers.poll()) {
            Thread.onSpinWait();
            looks++;
            if (looks % LOOKS == 0 && System.nanoTime() - endNs > 0) {
                throw new IllegalStateException(
                        "no completion, limit=%d s"
                                .formatted(TimeUnit.NANOSECONDS.toSeconds(LIMIT_NS)));
            }
        }
    }

    private void check(boolean isExpected) {
        if (!isExpected || answer.statusCode() != CommandStatus.OK.code()) {
            throw new IllegalStateException("unexpected completion: " + answer);
        }
    }

    /// Waits until the fence has reached the given value.
    private void awaitFence(int value) {
        long endNs = System.nanoTime() + LIMIT_NS;
        int looks = 0;
        while (fence() - value < 0) {
            Thread.onSpinWait();
            looks++;
            if (looks % LOOKS == 0 && System.nanoTime() - endNs > 0) {
                throw new IllegalStateException(
                        "fence=%d, expected at least %d".formatted(fence(), value));
            }
        }
    }

    private int fence() {
        return (int) FENCE.getAcquire(data, WORD);
    }
}
