package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.MapPiece;
import io.gpuvm.pv.protocol.Opcode;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Commands that programs send all the time make no garbage in the host.
class CommandAllocationTest {
    private static final long PAGE = 4096;
    private static final long VA = 1L << 24;
    private static final int BATCHES = 200;

    /// How often to try: code that is not compiled yet does make garbage.
    private static final int ROUNDS = 100;

    /// What asking the virtual machine may cost by itself, each time.
    private static final long ALLOWED_BYTES = 4096;

    /// For a command that makes something, and one that ends it.
    private static final long SMALL_BYTES = 2048;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final PvBench bench = new PvBench();
    private final TestPvGuest guest = bench.guest("a");
    private final int space = guest.openSpace();
    private final int channel = guest.openChannel(space);
    private long allocated;

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void givenNops_whenCarriedOut_thenNothingIsAllocated() {
        assertAllocatesNothing(() -> {
            guest.nop();
            return 1;
        });
    }

    @Test
    void givenMappings_whenMadeAndEnded_thenNothingIsAllocated() {
        assertAllocatesNothing(() -> {
            guest.map(space, VA, Handle.DATA_AREA, 0, 100 * PAGE, 0);
            guest.unmap(space, VA, 100 * PAGE);
            return 2;
        });
    }

    @Test
    void givenStridedAndListedMappings_whenMadeAndEnded_thenNothingIsAllocated() {
        MapPiece.put(guest.data, 0, Handle.DATA_AREA, 0, PAGE);
        assertAllocatesNothing(() -> {
            guest.send(
                    Opcode.MAP_STRIDED,
                    guest.strided()
                            .space(space)
                            .gpuVa(VA)
                            .memory(Handle.DATA_AREA)
                            .offset(0)
                            .stride(2 * PAGE)
                            .pieceBytes((int) PAGE)
                            .count(10));
            guest.unmap(space, VA, 10 * PAGE);
            guest.send(Opcode.MAP_LIST, guest.list().space(space).gpuVa(VA).list(0).count(1));
            guest.unmap(space, VA, PAGE);
            return 4;
        });
    }

    @Test
    void givenSubmissions_whenHandedOn_thenNothingIsAllocated() {
        int[] put = new int[1];
        assertAllocatesNothing(() -> {
            put[0] ^= 1;
            guest.submit(channel, put[0]);
            return 1;
        });
    }

    @Test
    void givenFencesAndStatistics_whenAsked_thenNothingIsAllocated() {
        assertAllocatesNothing(() -> {
            guest.queryFence(0);
            guest.waitForFence(64, 0, -1);
            guest.waitForFence(64, 1, 0);
            guest.statistics(128, 128);
            return 4;
        });
    }

    /// What an address space needs is used again; the arena's lists keep a few numbers as objects.
    @Test
    void givenSpaces_whenMadeAndEnded_thenLittleIsAllocated() {
        assertAllocatesAtMost(
                SMALL_BYTES,
                () -> {
                    guest.createSpace();
                    int made = answer();
                    guest.onHandle(Opcode.SPACE_DESTROY, made);
                    return 1;
                });
    }

    @Test
    void givenVram_whenTakenAndGivenBack_thenLittleIsAllocated() {
        assertAllocatesAtMost(
                SMALL_BYTES,
                () -> {
                    guest.allocateVram(PAGE);
                    int made = answer();
                    guest.onHandle(Opcode.VRAM_FREE, made);
                    return 1;
                });
    }

    private void assertAllocatesNothing(Batch batch) {
        assertAllocatesAtMost(0, batch);
    }

    /// Sends the same again and again, and looks at what the poller allocates.
    private void assertAllocatesAtMost(long bytes, Batch batch) {
        long allowed = ALLOWED_BYTES + bytes * BATCHES;
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && least > allowed; round++) {
            allocated = 0;
            for (int i = 0; i < BATCHES; i++) {
                for (int answers = batch.send(); answers > 0; ) {
                    bench.takeOwnersTurn();
                    poll();
                    while (guest.completions.poll()) {
                        answers--;
                    }
                    guest.completions.release();
                }
            }
            least = Math.min(least, allocated);
        }
        assertTrue(least <= allowed, "allocated=" + least);
    }

    /// @return the result of the command that was sent
    private int answer() {
        do {
            bench.takeOwnersTurn();
            poll();
        } while (!guest.completions.poll());
        guest.completions.release();
        return (int) guest.answer.result();
    }

    private void poll() {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        bench.poller.doWork();
        allocated += THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private interface Batch {
        /// @return how many answers it has
        int send();
    }
}
