package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.mmu.MemoryTarget;
import java.util.Map;
import java.util.TreeMap;

/// Coverage of the paths to a page in random tables. A test that has not covered every path fails.
final class WalkCoverage {
    private static final MemoryTarget[] MEMORIES = {
        MemoryTarget.VRAM, MemoryTarget.SYSTEM_COHERENT, MemoryTarget.SYSTEM_NONCOHERENT
    };

    private static final String BEYOND = "beyond a span";

    private final Map<String, Integer> counts = new TreeMap<>();

    /// Counts a page that was found.
    void found(
            boolean bigPagesOf64KiB,
            boolean big,
            MemoryTarget directory,
            MemoryTarget table,
            MemoryTarget page) {
        count(pages(bigPagesOf64KiB, big, page));
        count("directory in " + directory);
        count("table in " + table);
    }

    /// Counts an address beyond the end of a span that the guest has shrunk.
    void beyondASpan() {
        count(BEYOND);
    }

    /// Counts the refusal of a page that is unaligned or does not belong to the guest.
    void refused(boolean bigPagesOf64KiB, boolean big) {
        count(refusals(bigPagesOf64KiB, big));
    }

    /// Asserts that the walks have covered all paths.
    void assertComplete() {
        for (MemoryTarget memory : MEMORIES) {
            assertSeen("directory in " + memory);
            assertSeen("table in " + memory);
        }
        assertSeen(BEYOND);
        for (boolean bigPagesOf64KiB : new boolean[] {false, true}) {
            for (boolean big : new boolean[] {false, true}) {
                assertSeen(refusals(bigPagesOf64KiB, big));
                for (MemoryTarget memory : MEMORIES) {
                    assertSeen(pages(bigPagesOf64KiB, big, memory));
                }
            }
        }
    }

    @Override
    public String toString() {
        return counts.toString();
    }

    private static String pages(boolean bigPagesOf64KiB, boolean big, MemoryTarget memory) {
        return size(bigPagesOf64KiB, big) + " in " + memory;
    }

    private static String refusals(boolean bigPagesOf64KiB, boolean big) {
        return size(bigPagesOf64KiB, big) + " refused";
    }

    private static String size(boolean bigPagesOf64KiB, boolean big) {
        String choice = bigPagesOf64KiB ? "64K" : "128K";
        return big ? choice + " page" : "4K page beside " + choice + " pages";
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    private void assertSeen(String what) {
        assertTrue(counts.containsKey(what), () -> "no " + what + " among " + counts);
    }
}
