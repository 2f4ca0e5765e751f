package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of the portions that virtual machines get when they attach.
class PortionsTest {
    private final Portions channels = new Portions(127);

    @Test
    void givenManyAttachments_whenPortionsAreTaken_thenEachIsEighthOfRestButAtLeast32ndOfWhole() {
        List<Long> taken = new ArrayList<>();
        for (long one = channels.take(64); one > 0; one = channels.take(64)) {
            taken.add(one);
        }
        assertEquals(List.of(15L, 14L, 12L, 10L, 9L, 8L, 7L, 6L), taken.subList(0, 8));
        assertEquals(127, taken.stream().mapToLong(Long::longValue).sum());
        assertEquals(0, channels.free());
        assertEquals(22, taken.size());
    }

    @Test
    void givenLimit_whenPortionIsTaken_thenPortionIsAtMostLimit() {
        assertEquals(2, channels.take(2));
        assertEquals(100, channels.takeExactly(100));
        assertEquals(25, channels.free());
        channels.giveBack(100);
        assertEquals(125, channels.free());
    }
}
