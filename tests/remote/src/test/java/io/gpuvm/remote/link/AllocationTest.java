package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.remote.keys.KeyFolder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests the heap memory that both ends of a link allocate for each frame.
@Tag("optimized")
class AllocationTest {
    private static final int FRAMES = 2000;

    /// Time limit of the attempts: code that is not compiled yet does allocate.
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    /// Maximum number of bytes per round trip of two frames by the JDK's engine: two records each
    /// way, with their results, buffers and parameters of the cipher.
    private static final long ENGINE_BYTES = 16 * 1024;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final LinkOptions OPTIONS = LinkOptions.DEFAULT.withRings(1 << 19, 1 << 19);

    @TempDir Path folder;

    @Test
    void givenLink_whenFramesAreExchanged_thenNoHeapMemoryIsAllocated() {
        try (Ends ends = Ends.plain(OPTIONS)) {
            Link link = ends.connect(() -> ends.dialPlain("vm0"));

            assertAllocates(ends, link, bytes -> bytes < FRAMES);
        }
    }

    @Test
    void givenLinkWithTls_whenFramesAreExchanged_thenOnlyEngineAllocates() {
        KeyFolder keys = new KeyFolder(folder.resolve("keys"), Clock.systemUTC());
        keys.init(List.of("127.0.0.1"), KeyFolder.LIFETIME);
        Credentials agent = Credentials.read(keys.add("vm0", KeyFolder.LIFETIME));
        Credentials backend = Credentials.read(folder.resolve("keys/server"));
        try (Ends ends = new Ends(OPTIONS, LinkAddress.parse("tls:127.0.0.1:0"), backend)) {
            Link link = ends.connect(() -> ends.dialTls(ends.listener.port(), agent));

            assertAllocates(ends, link, bytes -> bytes < ENGINE_BYTES * FRAMES);
        }
    }

    private static void assertAllocates(Ends ends, Link link, LongPredicate accepted) {
        Link peer = ends.accepted.getFirst();
        MemorySegment data = Arena.ofAuto().allocate(1000);
        long startNs = System.nanoTime();
        long allocated;
        do {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < FRAMES; i++) {
                exchange(ends, link, peer, data);
                exchange(ends, peer, link, data);
            }
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        } while (!accepted.test(allocated) && System.nanoTime() - startNs < LIMIT_NS);
        long perFrame = allocated / (2 * FRAMES);
        System.out.printf("bytes per frame=%d%n", perFrame);
        assertTrue(accepted.test(allocated), () -> "bytes per frame=" + perFrame);
    }

    private static void exchange(Ends ends, Link from, Link to, MemorySegment data) {
        from.send(Lane.CALLS, 1, data);
        while (to.peek(Lane.CALLS) == null) {
            ends.backend.doWork(System.nanoTime());
            ends.agent.doWork(System.nanoTime());
        }
        to.release(Lane.CALLS);
    }
}
