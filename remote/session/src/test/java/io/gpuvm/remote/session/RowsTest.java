package io.gpuvm.remote.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of the transfer of rows of a data area.
@Timeout(60)
class RowsTest {
    private static final long BYTES = 6 << 20;
    private static final int STEPS = 100;

    @Test
    void givenManyCompressedRows_whenReceiverWorks_thenOneCallStoresLimitedPart() {
        try (LinkPair link = new LinkPair();
                Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocate(BYTES, Long.BYTES);
            AreaBox box = new AreaBox();
            box.set(0, BYTES);
            RowsSender sender = new RowsSender(link.agent(), data);
            sender.begin(box);
            while (!sender.work()) {
                link.work();
            }
            for (int i = 0; i < STEPS; i++) {
                link.work();
            }
            RowsReceiver receiver = new RowsReceiver(link.gateway(), data);

            receiver.work();

            long first = receiver.frames();
            assertTrue(first > 0 && first < sender.frames(), "frames=" + first);
            while (receiver.frames() < sender.frames()) {
                link.work();
                receiver.work();
            }
        }
    }
}
