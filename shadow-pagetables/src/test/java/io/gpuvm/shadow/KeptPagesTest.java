package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Tests that pages for copies are allocated once, up to the capacity.
class KeptPagesTest {
    private static final int CAPACITY = 40;

    @Test
    void givenAllPagesAllocated_whenPageIsRequested_thenRequestFailsUntilPageIsReleased() {
        try (KeptPages kept = new KeptPages("gpuvm-test", CAPACITY)) {
            Set<Integer> taken = new HashSet<>();
            for (int i = 0; i < CAPACITY; i++) {
                taken.add(kept.take());
            }
            assertEquals(CAPACITY, taken.size());
            assertEquals(CAPACITY * TestGuest.PAGE, kept.memory().byteSize());
            assertEquals(KeptPages.NONE, kept.take());
            kept.giveBack(7);
            assertEquals(CAPACITY - 1, kept.taken());
            assertEquals(7, kept.take());
            assertEquals(KeptPages.NONE, kept.take());
        }
    }

    @Test
    void givenAllPagesAllocated_whenAllPagesAreReleased_thenAllPagesCanBeAllocatedAgain() {
        try (KeptPages kept = new KeptPages("gpuvm-test", CAPACITY)) {
            for (int i = 0; i < CAPACITY; i++) {
                kept.take();
            }
            for (int i = 0; i < CAPACITY; i++) {
                kept.giveBack(i);
            }
            assertEquals(0, kept.taken());
            Set<Integer> taken = new HashSet<>();
            for (int i = 0; i < CAPACITY; i++) {
                taken.add(kept.take());
            }
            assertEquals(CAPACITY, taken.size());
        }
    }

    @Test
    void givenNoAllocatedPage_whenClosedTwice_thenCloseSucceeds() {
        KeptPages kept = new KeptPages("gpuvm-test", CAPACITY);
        kept.close();
        kept.close();
    }
}
