package io.gpuvm.remote.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.protocol.CudaOpcode;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests of the space for arguments.
class ArgumentSpaceTest {
    private static final long START = 1 << 20;
    private static final int ENTRIES = 64;
    private static final int CALLS = 100_000;

    private final ArgumentSpace space = new ArgumentSpace(START, ENTRIES);

    @Test
    void givenCallsThatAreNotTaken_whenSpaceIsUsedUp_thenItIsFullUntilCallsAreTaken() {
        int most = (int) (ArgumentSpace.BYTES / CudaOpcode.MAX_ARGUMENT_BYTES);
        long entry = 0;
        while (entry < Math.min(most, ENTRIES)) {
            assertTrue(space.allocate(entry, CudaOpcode.MAX_ARGUMENT_BYTES) >= START);
            entry++;
        }
        space.free(entry);

        for (int i = 0; i < most; i++) {
            assertTrue(space.allocate(entry, CudaOpcode.MAX_ARGUMENT_BYTES) >= START);
            space.free(++entry);
        }
    }

    @Test
    void givenCalls_whenTakenInOrder_thenArgumentsInFlightDoNotOverlap() {
        Random random = new Random(31);
        long[] starts = new long[ENTRIES];
        long[] ends = new long[ENTRIES];
        long taken = 0;
        for (long entry = 0; entry < CALLS; entry++) {
            while (entry - taken >= ENTRIES || entry > taken && random.nextInt(4) == 0) {
                taken++;
            }
            space.free(taken);
            long bytes = (long) random.nextInt(CudaOpcode.MAX_ARGUMENT_BYTES / 8 + 1) * 8;
            long at = space.allocate(entry, bytes);
            assertTrue(at >= START && at + bytes <= START + ArgumentSpace.BYTES, "at=" + at);
            for (long other = taken; other < entry; other++) {
                int i = (int) other % ENTRIES;
                assertTrue(at + bytes <= starts[i] || ends[i] <= at, "overlap");
            }
            starts[(int) entry % ENTRIES] = at;
            ends[(int) entry % ENTRIES] = at + bytes;
        }
    }

    @Test
    void givenFullSpace_whenAllocated_thenResultIsFull() {
        ArgumentSpace many = new ArgumentSpace(0, 1 << 16);
        long entry = 0;
        while (many.allocate(entry, CudaOpcode.MAX_ARGUMENT_BYTES) != ArgumentSpace.FULL) {
            entry++;
        }
        assertEquals(ArgumentSpace.BYTES / CudaOpcode.MAX_ARGUMENT_BYTES, entry);

        many.free(1);

        assertEquals(0, many.allocate(entry, CudaOpcode.MAX_ARGUMENT_BYTES));
    }
}
