package io.gpuvm.port;

import java.util.concurrent.atomic.AtomicLong;

/// [CompletionInbox] in the form of a ring of records.
///
/// ```text
///  +------+---+---+---+---+---+---+---+
///  | kind | a | b | c | d | e | f |   |   a record: 8 ints, 6 of them operands
///  +------+---+---+---+---+---+---+---+
/// ```
///
/// One producer thread, one consumer thread; each thread writes its own position with release order
/// after finishing with a record. Neither allocates.
public final class CompletionRing implements CompletionInbox {
    private static final int RECORD_SHIFT = 3;

    private static final int FLUSHED = 0;
    private static final int PREEMPTED = 1;
    private static final int RUNLIST_LOADED = 2;
    private static final int NON_STALL = 3;
    private static final int MMU_FAULT = 4;
    private static final int PBDMA = 5;
    private static final int GRAPH_TRAP = 6;
    private static final int COPY_TRAP = 7;
    private static final int HUNG = 8;
    private static final int MP_TRAP = 9;

    private final int capacity;
    private final int[] records;

    /// Position of the next record to remove; written by the consumer.
    private final AtomicLong head = new AtomicLong();

    /// Position of the next record to add; written by the producer.
    private final AtomicLong tail = new AtomicLong();

    /// @param capacity number of records, a power of two
    public CompletionRing(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException(
                    "capacity=" + capacity + ", expected a power of two");
        }
        this.capacity = capacity;
        records = new int[capacity << RECORD_SHIFT];
    }

    @Override
    public boolean flushed() {
        return put(FLUSHED, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public boolean preempted(int channel) {
        return put(PREEMPTED, channel, 0, 0, 0, 0, 0);
    }

    @Override
    public boolean runlistLoaded() {
        return put(RUNLIST_LOADED, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public boolean nonStall(int engine) {
        return put(NON_STALL, engine, 0, 0, 0, 0, 0);
    }

    @Override
    public boolean mmuFault(int unit, int channel, long gpuVa, int statusWord) {
        int high = (int) (gpuVa >>> Integer.SIZE);
        return put(MMU_FAULT, unit, channel, (int) gpuVa, high, statusWord, 0);
    }

    @Override
    public boolean pbdma(int pbdma, int channel, int interrupts, int method, int data) {
        return put(PBDMA, pbdma, channel, interrupts, method, data, 0);
    }

    @Override
    public boolean mpTrap(int gpc, int tpc, int warpError, int globalError) {
        return put(MP_TRAP, gpc, tpc, warpError, globalError, 0, 0);
    }

    @Override
    public boolean graphTrap(
            int channel, int interrupts, int address, int data, int code, int classId) {
        return put(GRAPH_TRAP, channel, interrupts, address, data, code, classId);
    }

    @Override
    public boolean copyTrap(int engine, int channel, int interrupts, int error, int data) {
        return put(COPY_TRAP, engine, channel, interrupts, error, data, 0);
    }

    @Override
    public boolean hung(int engine, int channel) {
        return put(HUNG, engine, channel, 0, 0, 0, 0);
    }

    @Override
    public int poll(Handler handler) {
        long first = head.getPlain();
        long last = tail.getAcquire();
        for (long at = first; at < last; at++) {
            int record = slot(at);
            try {
                dispatch(record, handler);
            } finally {
                head.setRelease(at + 1);
            }
        }
        return (int) (last - first);
    }

    private boolean put(int kind, int a, int b, int c, int d, int e, int f) {
        long at = tail.getPlain();
        if (at - head.getAcquire() == capacity) {
            return false;
        }
        int record = slot(at);
        records[record] = kind;
        records[record + 1] = a;
        records[record + 2] = b;
        records[record + 3] = c;
        records[record + 4] = d;
        records[record + 5] = e;
        records[record + 6] = f;
        tail.setRelease(at + 1);
        return true;
    }

    private void dispatch(int record, Handler handler) {
        int a = records[record + 1];
        int b = records[record + 2];
        int c = records[record + 3];
        int d = records[record + 4];
        int e = records[record + 5];
        int f = records[record + 6];
        switch (records[record]) {
            case FLUSHED -> handler.onFlushed();
            case PREEMPTED -> handler.onPreempted(a);
            case RUNLIST_LOADED -> handler.onRunlistLoaded();
            case NON_STALL -> handler.onNonStall(a);
            case MMU_FAULT ->
                    handler.onMmuFault(
                            a, b, Integer.toUnsignedLong(c) | (long) d << Integer.SIZE, e);
            case PBDMA -> handler.onPbdma(a, b, c, d, e);
            case MP_TRAP -> handler.onMpTrap(a, b, c, d);
            case GRAPH_TRAP -> handler.onGraphTrap(a, b, c, d, e, f);
            case COPY_TRAP -> handler.onCopyTrap(a, b, c, d, e);
            case HUNG -> handler.onHung(a, b);
            default -> throw new IllegalStateException("kind=" + records[record]);
        }
    }

    private int slot(long position) {
        return (int) (position & capacity - 1) << RECORD_SHIFT;
    }
}
