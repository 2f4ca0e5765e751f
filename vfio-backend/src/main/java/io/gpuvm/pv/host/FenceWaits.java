package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.Status;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// The words of its data area for which a guest waits. Looked at in every round, for nobody says
/// when the GPU has written one. Confined to the poller; nothing here allocates.
final class FenceWaits {
    private static final VarHandle WORD = WireType.U32.varHandle();

    private final MemorySegment data;
    private final long[] offsets;
    private final int[] values;
    private final long[] startsNs;
    private final long[] timeoutsNs;
    private final long[] correlations;
    private final boolean[] quiet;
    private int count;

    /// @param most how many there may be
    FenceWaits(MemorySegment data, int most) {
        this.data = data;
        offsets = new long[most];
        values = new int[most];
        startsNs = new long[most];
        timeoutsNs = new long[most];
        correlations = new long[most];
        quiet = new boolean[most];
    }

    int count() {
        return count;
    }

    boolean isFull() {
        return count == offsets.length;
    }

    /// What a word holds.
    ///
    /// @param offset a multiple of 4 in the data area
    int word(long offset) {
        return (int) WORD.getAcquire(data, offset);
    }

    /// Whether a word has reached a value.
    static boolean isReached(int word, int value) {
        return word - value >= 0;
    }

    /// Adds one to wait for.
    ///
    /// @param timeoutNs how long, unsigned
    void add(
            long offset, int value, long nowNs, long timeoutNs, long correlation, boolean isQuiet) {
        offsets[count] = offset;
        values[count] = value;
        startsNs[count] = nowNs;
        timeoutsNs[count] = timeoutNs;
        correlations[count] = correlation;
        quiet[count] = isQuiet;
        count++;
    }

    /// Answers those that are reached, and those whose time is over.
    ///
    /// @return how many those were
    int check(long nowNs, Answers answers) {
        int ended = 0;
        for (int i = count - 1; i >= 0; i--) {
            int word = word(offsets[i]);
            boolean reached = isReached(word, values[i]);
            if (reached || Long.compareUnsigned(nowNs - startsNs[i], timeoutsNs[i]) >= 0) {
                long correlation = correlations[i];
                boolean tell = !reached || !quiet[i];
                remove(i);
                if (tell) {
                    Status status = reached ? Status.OK : Status.TIMED_OUT;
                    answers.answer(status, correlation, 0, Integer.toUnsignedLong(word));
                }
                ended++;
            }
        }
        return ended;
    }

    private void remove(int at) {
        count--;
        offsets[at] = offsets[count];
        values[at] = values[count];
        startsNs[at] = startsNs[count];
        timeoutsNs[at] = timeoutsNs[count];
        correlations[at] = correlations[count];
        quiet[at] = quiet[count];
    }
}
