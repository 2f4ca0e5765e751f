package io.gpuvm.bench.pv;

import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.pv.protocol.AreaLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Measurement of the latency of shared memory itself. Two threads pass a number back and forth
/// through the kind of memory that rings use; each word has its own cache line.
final class PingPong implements AutoCloseable {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final long PING = 0;
    private static final long PONG = AreaLayout.WORD_STRIDE;
    private static final long BYTES = 1 << 12;
    private static final long END = -1;

    private final MemFd file = MemFd.create("ping-pong", BYTES);
    private final MappedMemory mapping =
            MappedMemory.map(file.descriptor(), 0, BYTES, MappedMemory.Access.READ_WRITE);
    private final MemorySegment memory = mapping.segment();

    /// Passes a number back and forth, and returns the time.
    ///
    /// @param rounds maximum number of rounds
    Repetitions.Timing measure(int rounds) throws InterruptedException {
        set(PING, 0);
        set(PONG, 0);
        Thread partner = Thread.ofPlatform().name("pong").start(this::answer);
        Repetitions all = new Repetitions(rounds);
        for (long i = 1; all.next(); i++) {
            set(PING, i);
            while (get(PONG) != i) {
                Thread.onSpinWait();
            }
        }
        Repetitions.Timing timing = all.end(1);
        set(PING, END);
        partner.join();
        return timing;
    }

    @Override
    public void close() {
        mapping.close();
        file.close();
    }

    private void answer() {
        long last = 0;
        while (last != END) {
            long next = get(PING);
            if (next != last) {
                last = next;
                set(PONG, next);
            }
            Thread.onSpinWait();
        }
    }

    private long get(long word) {
        return (long) WORD.getAcquire(memory, word);
    }

    private void set(long word, long value) {
        WORD.setRelease(memory, word, value);
    }
}
