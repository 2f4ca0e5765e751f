package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Counter of entries in one word, without a ring. Its round trip is the lower bound.
final class WordPipe implements Pipe {
    private static final VarHandle WORD = WireType.U64.varHandle();

    private final MemorySegment memory;
    private long seen;

    /// @param arena arena of the word
    WordPipe(Arena arena) {
        memory = arena.allocate(AreaLayout.WORD_STRIDE, AreaLayout.WORD_STRIDE);
    }

    @Override
    public void write(long from, long count) {
        for (long n = from; n < from + count; n++) {
            WORD.setRelease(memory, 0L, n + 1);
        }
    }

    @Override
    public long read(long count) {
        long sum = 0;
        for (long n = 0; n < count; n++) {
            while ((long) WORD.getAcquire(memory, 0L) == seen) {
                Thread.onSpinWait();
            }
            sum += seen++;
        }
        return sum;
    }
}
