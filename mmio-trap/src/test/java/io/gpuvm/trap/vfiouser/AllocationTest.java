package io.gpuvm.trap.vfiouser;

import static io.gpuvm.trap.vfiouser.RawVfioUserClient.NO_REPLY;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.access;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.body;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.le32;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.message;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.linux.Descriptor;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllocationTest {
    private static final int READ = 9;
    private static final int WRITE = 10;
    private static final int WRITE_MULTI = 15;

    /// Number of messages per batch: a read, a synchronous write, posted writes, packed writes and
    /// another read.
    private static final int MESSAGES = 104;

    private static final int READ_REPLY_BYTES = 36;
    private static final int WRITE_REPLY_BYTES = 32;
    private static final int REPLY_BYTES = 2 * READ_REPLY_BYTES + WRITE_REPLY_BYTES;
    private static final int WARM_UP_BATCHES = 2_000;
    private static final int BATCHES = 1_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final List<Descriptor> files = new ArrayList<>();

    @Test
    void givenWarmServer_whenMessagesAreHandled_thenHeapAllocationIsBelowOneKibibyte() {
        try (Arena arena = Arena.ofConfined();
                TestServer server = new TestServer();
                RawVfioUserClient client = server.client()) {
            MemorySegment out = arena.allocateFrom(ValueLayout.JAVA_BYTE, batch());
            MemorySegment in = arena.allocate(4096);
            run(server.server(), client, WARM_UP_BATCHES, out, in);
            long handledBefore = server.counters().messages();
            long before = threads.getCurrentThreadAllocatedBytes();
            run(server.server(), client, BATCHES, out, in);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            long handled = server.counters().messages() - handledBefore;
            assertEquals((long) BATCHES * MESSAGES, handled);
            assertTrue(allocated < 1024, allocated + " bytes for " + handled + " messages");
        }
    }

    private void run(
            VfioUserServer server,
            RawVfioUserClient client,
            int batches,
            MemorySegment out,
            MemorySegment in) {
        for (int i = 0; i < batches; i++) {
            assertEquals(out.byteSize(), client.socket().send(out, 0, out.byteSize()));
            long got = 0;
            while (got < REPLY_BYTES) {
                if (server.doWork() == 0) {
                    server.parking().park(TestServer.LOOK);
                }
                got += Math.max(0, client.socket().receive(in, 0, in.byteSize(), files));
            }
            assertEquals(REPLY_BYTES, got);
        }
    }

    private static byte[] batch() {
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        batch.writeBytes(message(1, READ, 0, access(0, 0, 4)));
        batch.writeBytes(message(2, WRITE, 0, write(0, 0, le32(1))));
        for (int i = 0; i < MESSAGES - 4; i++) {
            batch.writeBytes(message(3, WRITE, NO_REPLY, write(4, 0, le32(i))));
        }
        ByteBuffer packed =
                body(8 + 24, b -> b.putLong(1).putLong(8).putInt(0).putInt(8).putLong(7));
        batch.writeBytes(message(4, WRITE_MULTI, NO_REPLY, packed));
        batch.writeBytes(message(5, READ, 0, access(8, 0, 4)));
        return batch.toByteArray();
    }
}
