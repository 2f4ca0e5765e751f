package io.gpuvm.cuda.protocol;

import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Notification word of a session's area in which the backend publishes that the ranges of the data
/// area that calls used may be reused: all calls with numbers smaller than the word no longer read
/// or write the data area.
public final class RetiredWord {
    /// Offset of the word in the area, u64.
    public static final long OFFSET = AreaLayout.COMPLETION_HEAD + AreaLayout.WORD_STRIDE;

    private static final VarHandle WORD = WireType.U64.varHandle();

    private RetiredWord() {}

    /// Reads the word. Called by the client.
    ///
    /// @param area memory of the whole area
    public static long get(MemorySegment area) {
        return (long) WORD.getAcquire(area, OFFSET);
    }

    /// Publishes the word. Called by the backend.
    ///
    /// @param area memory of the whole area
    /// @param number number of a call, not smaller than that of any earlier call of this method
    public static void set(MemorySegment area, long number) {
        WORD.setRelease(area, OFFSET, number);
    }
}
