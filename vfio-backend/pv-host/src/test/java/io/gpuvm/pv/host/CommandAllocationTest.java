package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.MapPiece;
import io.gpuvm.pv.protocol.RingProtocol;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that frequent commands allocate no heap memory in the host.
@Tag("optimized")
class CommandAllocationTest {
    private static final long PAGE = 4096;
    private static final long VA = 1L << 24;
    private static final int BATCHES = 200;

    /// Number of extents of an allocation in fragmented VRAM.
    private static final int PIECES = 6;

    /// Time limit of the attempts: code that is not compiled yet does allocate, and on a busy
    /// machine the JVM's compilers may be delayed.
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    /// Maximum number of bytes that the queries of the allocation may themselves allocate.
    private static final long ALLOWED_BYTES = 4096;

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
    void givenNops_whenExecuted_thenNoHeapMemoryIsAllocated() {
        assertAllocatesNothing(() -> {
            guest.nop();
            return 1;
        });
    }

    @Test
    void givenMappings_whenMappedAndUnmapped_thenNoHeapMemoryIsAllocated() {
        assertAllocatesNothing(() -> {
            guest.map(space, VA, Handle.DATA_AREA, 0, 100 * PAGE, 0);
            guest.unmap(space, VA, 100 * PAGE);
            return 2;
        });
    }

    @Test
    void givenStridedAndListedMappings_whenMappedAndUnmapped_thenNoHeapMemoryIsAllocated() {
        MapPiece.put(guest.data, 0, Handle.DATA_AREA, 0, PAGE);
        assertAllocatesNothing(() -> {
            guest.send(
                    CommandOpcode.MAP_STRIDED,
                    guest.strided()
                            .space(space)
                            .gpuVa(VA)
                            .memory(Handle.DATA_AREA)
                            .offset(0)
                            .stride(2 * PAGE)
                            .pieceBytes((int) PAGE)
                            .count(10));
            guest.unmap(space, VA, 10 * PAGE);
            guest.send(
                    CommandOpcode.MAP_LIST, guest.list().space(space).gpuVa(VA).list(0).count(1));
            guest.unmap(space, VA, PAGE);
            return 4;
        });
    }

    @Test
    void givenSubmissions_whenExecuted_thenNoHeapMemoryIsAllocated() {
        int[] put = new int[1];
        assertAllocatesNothing(() -> {
            put[0] ^= 1;
            guest.submit(channel, put[0]);
            return 1;
        });
    }

    @Test
    void givenSubmissionsOfFrontEnd_whenExecuted_thenNoHeapMemoryIsAllocated() {
        PlaceKind kind = new PlaceKind.FrontEnds(RingProtocol.CUDA, TestFrontEnd::new);
        PvQuotas quotas = new PvQuotas(1, PvBench.MIB, 4, 4, 4, 1000, 64, 8, PvBench.MIB);
        TestClient client = bench.serveClient(bench.place("b", kind, quotas));
        TestClient.Space own = client.new Space();
        client.run(own::open);
        bench.runUntil("the channel", () -> own.channel.isOpen());
        int[] put = new int[1];
        Runnable request = () -> own.channel.submit(put[0]);
        assertAllocatesNothing(() -> {
            put[0] ^= 1;
            client.frontEnd.requests.add(request);
            guest.nop();
            return 1;
        });
        assertNull(own.channel.failure());
    }

    @Test
    void givenFencesAndStatistics_whenQueried_thenNoHeapMemoryIsAllocated() {
        assertAllocatesNothing(() -> {
            guest.queryFence(0);
            guest.waitForFence(64, 0, -1);
            guest.waitForFence(64, 1, 0);
            guest.statistics(128, 128);
            return 4;
        });
    }

    @Test
    void givenSpaces_whenCreatedAndDestroyed_thenNoHeapMemoryIsAllocated() {
        assertAllocatesNothing(() -> {
            guest.createSpace();
            guest.onHandle(CommandOpcode.SPACE_DESTROY, answer());
            return 1;
        });
    }

    @Test
    void givenVram_whenAllocatedAndFreed_thenNoHeapMemoryIsAllocated() {
        assertAllocatesNothing(() -> {
            guest.allocateVram(PAGE);
            guest.onHandle(CommandOpcode.VRAM_FREE, answer());
            return 1;
        });
    }

    @Test
    void givenFragmentedVram_whenAllocatedAndFreed_thenNoHeapMemoryIsAllocated() {
        int[] apart = new int[2 * PIECES];
        for (int i = 0; i < apart.length; i++) {
            guest.allocateVram(PAGE);
            apart[i] = answer();
        }
        guest.allocateVram(PvBench.VRAM - apart.length * PAGE);
        answer();
        for (int i = 0; i < apart.length; i += 2) {
            guest.onHandle(CommandOpcode.VRAM_FREE, apart[i]);
            answer();
        }
        assertAllocatesNothing(() -> {
            guest.allocateVram(PIECES * PAGE);
            guest.onHandle(CommandOpcode.VRAM_FREE, answer());
            return 1;
        });
    }

    @Test
    void givenChannels_whenCreatedAndDestroyed_thenNoHeapMemoryIsAllocated() {
        assertAllocatesNothing(() -> {
            guest.createChannel(space, TestPvGuest.DATA_VA + TestPvGuest.RING, 2);
            guest.onHandle(CommandOpcode.CHANNEL_DESTROY, answer());
            return 1;
        });
    }

    /// Sends the same commands repeatedly, and measures the poller's allocation.
    private void assertAllocatesNothing(Batch batch) {
        long least = Long.MAX_VALUE;
        long start = System.nanoTime();
        while (least > ALLOWED_BYTES && System.nanoTime() - start < LIMIT_NS) {
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
        long bytes = least;
        assertTrue(bytes <= ALLOWED_BYTES, () -> "allocated=" + bytes);
    }

    /// @return result of the command that was sent
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
        /// @return number of answers to expect
        int send();
    }
}
