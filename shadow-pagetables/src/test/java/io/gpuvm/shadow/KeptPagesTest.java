package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Room for copies of pages is handed out once, and no more than there is.
class KeptPagesTest {
    private static final int CAPACITY = 40;

    @Test
    void givenAllRoomTaken_whenOneMoreIsTaken_thenThereIsNoneUntilOneComesBack() {
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
    void givenAllRoomTaken_whenAllComesBack_thenAllOfItIsRoomAgain() {
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
    void givenNothingTaken_whenClosed_thenNothingHappens() {
        KeptPages kept = new KeptPages("gpuvm-test", CAPACITY);
        kept.close();
        kept.close();
    }
}
