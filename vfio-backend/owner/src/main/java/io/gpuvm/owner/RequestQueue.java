package io.gpuvm.owner;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.port.GpuRequests;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// One virtual machine's requests on their way to the owner of the GPU: a ring of records.
///
/// ```text
///  +------+---+---+---+    a record: 4 longs
///  | kind | a | b | c |
///  +------+---+---+---+
/// ```
///
/// One thread puts in, the owner takes out; neither allocates. A doorbell that rings again before
/// the owner has looked costs no record, so a storm of them fills nothing. If the ring is full all
/// the same, the virtual machine's own thread waits: nobody else does. The owner is woken for the
/// first record only: it comes back by itself for those that it has not taken yet.
final class RequestQueue implements GpuRequests {
    /// Takes requests, on the owner's thread.
    interface Handler {
        void onBind(int channel, long instanceIova, long userdIova);

        void onUnbind(int channel);

        void onRun(int channel, boolean runnable);

        /// @param count how many of [#listed] count
        void onRunlist(int[] listed, int count);

        void onPreempt(int channel);

        void onRing(int channel, int put);

        /// @param times how often it was asked for before it could begin: once is enough, but each
        ///   is to be answered
        void onFlush(long directoryIova, int times);

        void onFreeze(int engineBits);

        void onResetEngines(int pmcEnableBitsCleared);

        void onInjectFault(int engine, int unit);

        void onReleaseMethod(int pbdma, int method, int data, int bits);

        void onReleaseTrap(int engine, int bits);

        void onMapDma(DmaMapping atGuestPhysical);

        void onUnmapDma(long guestPhysical, long bytes);

        Optional<SharedWindow> onOpenWindow(long bytes);

        void onShowWindows();

        void onCloseWindows();

        void onReset();
    }

    private enum Kind {
        BIND,
        UNBIND,
        RUN,
        RUNLIST,
        PREEMPT,
        RING,
        FLUSH,
        FREEZE,
        RESET_ENGINES,
        INJECT_FAULT,
        RELEASE_METHOD,
        RELEASE_TRAP,
        MAP_DMA,
        UNMAP_DMA,
        OPEN_WINDOW,
        SHOW_WINDOWS,
        CLOSE_WINDOWS,
        RESET
    }

    private static final Kind[] KINDS = Kind.values();
    private static final int RECORD_SHIFT = 2;
    private static final int CAPACITY = 1024;

    /// How long one request may take the owner; the longest takes all channels of a virtual machine
    /// off a busy GPU. Shorter than anybody waits for the virtual machine's thread to end.
    private static final long WAIT_LIMIT_NS = TimeUnit.SECONDS.toNanos(4);

    /// What is mapped at a time. A kernel that has to find, zero and pin all of a large guest's
    /// memory takes longer than anybody waits, and others would wait behind it.
    static final long MAP_BYTES = 64L << 20;

    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int SPINS = 100;

    /// No put index, which have 32 bits.
    private static final long NO_PUT = -1;

    /// Channel ids in a record of a runlist: a bit each.
    private static final int IDS_PER_WORD = Long.SIZE;

    private final String name;
    private final Runnable wakeOwner;
    private final long waitLimitNs;
    private final long[] records = new long[CAPACITY << RECORD_SHIFT];

    /// What the virtual machine waits for, in the place of its record.
    private final Question[] questions = new Question[CAPACITY];

    private final AtomicLong head = new AtomicLong();
    private final AtomicLong tail = new AtomicLong();

    /// Put index of a doorbell that the owner has not seen yet, [#NO_PUT] if there is none.
    private final AtomicLongArray puts = new AtomicLongArray(Pfifo.CHANNELS);

    /// What the owner has seen: channels and engines.
    private final AtomicIntegerArray channelStates = new AtomicIntegerArray(Pfifo.CHANNELS);

    private final AtomicIntegerArray engineStatuses = new AtomicIntegerArray(EngineId.COUNT);

    private final AtomicLong gpuTimeNs = new AtomicLong();

    /// Of the owner's: the runlist of a record, unpacked.
    private final int[] listed = new int[Pfifo.CHANNELS];

    /// @param name of the virtual machine, for errors
    /// @param wakeOwner makes the owner look, from any thread
    RequestQueue(String name, Runnable wakeOwner) {
        this(name, wakeOwner, WAIT_LIMIT_NS);
    }

    /// @param waitLimitNs how long the owner may take for one request before its virtual machine
    ///   gives up
    RequestQueue(String name, Runnable wakeOwner, long waitLimitNs) {
        this.name = name;
        this.wakeOwner = wakeOwner;
        this.waitLimitNs = waitLimitNs;
        for (int channel = 0; channel < Pfifo.CHANNELS; channel++) {
            puts.setPlain(channel, NO_PUT);
        }
    }

    @Override
    public void bind(int channel, long instanceIova, long userdIova) {
        put(Kind.BIND, channel, instanceIova, userdIova);
    }

    @Override
    public void unbind(int channel) {
        put(Kind.UNBIND, channel, 0, 0);
    }

    @Override
    public void run(int channel, boolean runnable) {
        put(Kind.RUN, channel, runnable ? 1 : 0, 0);
    }

    /// The order of a runlist has no meaning to the owner, so two words of bits say it all.
    @Override
    public void runlist(int[] channels, int count) {
        long low = 0;
        long high = 0;
        for (int i = 0; i < count; i++) {
            long bit = 1L << channels[i] % IDS_PER_WORD;
            if (channels[i] < IDS_PER_WORD) {
                low |= bit;
            } else {
                high |= bit;
            }
        }
        put(Kind.RUNLIST, low, high, 0);
    }

    @Override
    public void preempt(int channel) {
        put(Kind.PREEMPT, channel, 0, 0);
    }

    @Override
    public void ring(int channel, int put) {
        if (puts.getAndSet(channel, Integer.toUnsignedLong(put)) == NO_PUT) {
            put(Kind.RING, channel, 0, 0);
        }
    }

    @Override
    public void flush(long directoryIova) {
        put(Kind.FLUSH, directoryIova, 0, 0);
    }

    @Override
    public int channelState(int channel) {
        return channelStates.getAcquire(channel);
    }

    @Override
    public int engineStatus(int engine) {
        return engineStatuses.getAcquire(engine);
    }

    @Override
    public long gpuTimeNs() {
        return gpuTimeNs.getAcquire();
    }

    /// What [#gpuTimeNs()] says from now on. Owner's thread.
    void showGpuTime(long ns) {
        gpuTimeNs.setRelease(ns);
    }

    /// What [#channelState] says from now on. Owner's thread.
    void showChannel(int channel, int state) {
        channelStates.setRelease(channel, state);
    }

    /// What [#engineStatus] says from now on. Owner's thread.
    void showEngine(int engine, int status) {
        engineStatuses.setRelease(engine, status);
    }

    @Override
    public void freeze(int engineBits) {
        put(Kind.FREEZE, engineBits, 0, 0);
    }

    @Override
    public void resetEngines(int pmcEnableBitsCleared) {
        put(Kind.RESET_ENGINES, pmcEnableBitsCleared, 0, 0);
    }

    @Override
    public void injectFault(int engine, int unit) {
        put(Kind.INJECT_FAULT, engine, unit, 0);
    }

    @Override
    public void releaseMethod(int pbdma, int method, int data, int bits) {
        put(Kind.RELEASE_METHOD, pbdma, pack(method, data), bits);
    }

    @Override
    public void releaseTrap(int engine, int bits) {
        put(Kind.RELEASE_TRAP, engine, bits, 0);
    }

    @Override
    public void mapDma(DmaMapping atGuestPhysical) {
        long done = 0;
        try {
            do {
                DmaMapping piece = piece(atGuestPhysical, done);
                ask(Kind.MAP_DMA, 0, 0, Question.toMap(piece));
                done += piece.bytes();
            } while (done < atGuestPhysical.bytes());
        } catch (RuntimeException e) {
            if (done > 0) {
                takeBack(atGuestPhysical.iova(), done, e);
            }
            throw e;
        }
    }

    private static DmaMapping piece(DmaMapping whole, long from) {
        return new DmaMapping(
                whole.descriptor(),
                whole.offset() + from,
                Math.min(MAP_BYTES, whole.bytes() - from),
                whole.iova() + from,
                whole.writable());
    }

    private void takeBack(long guestPhysical, long bytes, RuntimeException why) {
        try {
            unmapDma(guestPhysical, bytes);
        } catch (GpuDeviceException e) {
            why.addSuppressed(e);
        }
    }

    @Override
    public void unmapDma(long guestPhysical, long bytes) {
        ask(Kind.UNMAP_DMA, guestPhysical, bytes, new Question());
    }

    @Override
    public Optional<SharedWindow> openWindow(long bytes) {
        Question question = new Question();
        ask(Kind.OPEN_WINDOW, bytes, 0, question);
        return question.window();
    }

    @Override
    public void showWindows() {
        ask(Kind.SHOW_WINDOWS, 0, 0, new Question());
    }

    @Override
    public void closeWindows() {
        ask(Kind.CLOSE_WINDOWS, 0, 0, new Question());
    }

    @Override
    public void reset() {
        ask(Kind.RESET, 0, 0, new Question());
    }

    /// Whether nothing is in. Owner's thread.
    boolean isEmpty() {
        return head.getPlain() == tail.getAcquire();
    }

    /// Hands what is in to a handler, in order. Owner's thread.
    ///
    /// @param limit how many requests at most
    /// @return how many they were
    int drain(Handler handler, int limit) {
        long first = head.getPlain();
        long last = Math.min(tail.getAcquire(), first + limit);
        for (long at = first; at < last; at++) {
            int record = slot(at);
            if (records[record] == Kind.FLUSH.ordinal()) {
                at = drainFlushes(at, last, handler);
                continue;
            }
            try {
                dispatch(record, handler);
            } finally {
                head.setRelease(at + 1);
            }
        }
        return (int) (last - first);
    }

    /// @return where the last of the flushes is that are done with the first
    private long drainFlushes(long first, long end, Handler handler) {
        long directory = records[slot(first) + 1];
        long last = first;
        while (last + 1 < end
                && records[slot(last + 1)] == Kind.FLUSH.ordinal()
                && records[slot(last + 1) + 1] == directory) {
            last++;
        }
        try {
            handler.onFlush(directory, (int) (last - first + 1));
        } finally {
            head.setRelease(last + 1);
        }
        return last;
    }

    private void dispatch(int record, Handler handler) {
        long a = records[record + 1];
        long b = records[record + 2];
        long c = records[record + 3];
        switch (KINDS[(int) records[record]]) {
            case BIND -> handler.onBind((int) a, b, c);
            case UNBIND -> handler.onUnbind((int) a);
            case RUN -> handler.onRun((int) a, b != 0);
            case RUNLIST -> handler.onRunlist(listed, unpack(a, b));
            case PREEMPT -> handler.onPreempt((int) a);
            case RING -> handler.onRing((int) a, (int) puts.getAndSet((int) a, NO_PUT));
            case FLUSH -> handler.onFlush(a, 1);
            case FREEZE -> handler.onFreeze((int) a);
            case RESET_ENGINES -> handler.onResetEngines((int) a);
            case INJECT_FAULT -> handler.onInjectFault((int) a, (int) b);
            case RELEASE_METHOD ->
                    handler.onReleaseMethod((int) a, (int) (b >>> Integer.SIZE), (int) b, (int) c);
            case RELEASE_TRAP -> handler.onReleaseTrap((int) a, (int) b);
            case MAP_DMA -> map(take(record), handler);
            case UNMAP_DMA -> take(record).carryOut(() -> handler.onUnmapDma(a, b));
            case OPEN_WINDOW -> {
                Question question = take(record);
                question.carryOut(() -> question.window(handler.onOpenWindow(a)));
            }
            case SHOW_WINDOWS -> take(record).carryOut(handler::onShowWindows);
            case CLOSE_WINDOWS -> take(record).carryOut(handler::onCloseWindows);
            case RESET -> take(record).carryOut(handler::onReset);
        }
    }

    /// Nobody would ever take back a mapping that its virtual machine takes for refused.
    private static void map(Question question, Handler handler) {
        DmaMapping mapping = question.mapping();
        if (!question.carryOut(() -> handler.onMapDma(mapping))) {
            try {
                handler.onUnmapDma(mapping.iova(), mapping.bytes());
            } catch (RuntimeException _) {
                // Out of reach all the same, and nobody is left to be told.
            }
        }
    }

    private Question take(int record) {
        Question question = questions[record >> RECORD_SHIFT];
        questions[record >> RECORD_SHIFT] = null;
        return question;
    }

    private int unpack(long low, long high) {
        int count = 0;
        for (long bits = low; bits != 0; bits &= bits - 1) {
            listed[count++] = Long.numberOfTrailingZeros(bits);
        }
        for (long bits = high; bits != 0; bits &= bits - 1) {
            listed[count++] = IDS_PER_WORD + Long.numberOfTrailingZeros(bits);
        }
        return count;
    }

    private void put(Kind kind, long a, long b, long c) {
        put(kind, a, b, c, null);
    }

    private void put(Kind kind, long a, long b, long c, Question question) {
        long at = tail.getPlain();
        if (at - head.getAcquire() == CAPACITY) {
            await("room for requests", () -> at - head.getAcquire() < CAPACITY);
        }
        int record = slot(at);
        records[record] = kind.ordinal();
        records[record + 1] = a;
        records[record + 2] = b;
        records[record + 3] = c;
        questions[record >> RECORD_SHIFT] = question;
        tail.setRelease(at + 1);
        // Either the owner sees this record before it sleeps, or we see that it has taken all
        // before.
        VarHandle.fullFence();
        if (head.getAcquire() == at) {
            wakeOwner.run();
        }
    }

    /// Puts a request in and waits until it is done.
    private void ask(Kind kind, long a, long b, Question question) {
        try {
            put(kind, a, b, 0, question);
            await("the GPU's owner", question::isAnswered);
        } catch (RuntimeException | Error e) {
            if (question.giveUp()) {
                throw e;
            }
        }
        question.throwRefusal();
    }

    /// However much lies in the queue, and however busy the host: the owner lives as long as it
    /// takes requests out.
    private void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        long taken = head.getAcquire();
        for (int turn = 0; !condition.getAsBoolean(); turn++) {
            if (turn < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            if (taken != head.getAcquire()) {
                taken = head.getAcquire();
                start = System.nanoTime();
            }
            if (System.nanoTime() - start > waitLimitNs) {
                throw new GpuDeviceException(
                        "%s: waited %d ms for %s"
                                .formatted(name, TimeUnit.NANOSECONDS.toMillis(waitLimitNs), what));
            }
            LockSupport.parkNanos(NAP_NS);
        }
    }

    private static long pack(int high, int low) {
        return (long) high << Integer.SIZE | Integer.toUnsignedLong(low);
    }

    private static int slot(long position) {
        return (int) (position & CAPACITY - 1) << RECORD_SHIFT;
    }
}
