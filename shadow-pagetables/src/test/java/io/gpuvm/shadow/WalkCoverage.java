package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.mmu.MemoryTarget;
import java.util.Map;
import java.util.TreeMap;

/// Which ways of reaching a page random tables have led to, so that a test that ran past one of
/// them does not pass.
final class WalkCoverage {
    private static final MemoryTarget[] MEMORIES = {
        MemoryTarget.VRAM, MemoryTarget.SYSTEM_COHERENT, MemoryTarget.SYSTEM_NONCOHERENT
    };

    private static final String BEYOND = "beyond a span";

    private final Map<String, Integer> counts = new TreeMap<>();

    /// A page was found.
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

    /// The guest has shrunk a span, and a page behind its end was looked for.
    void beyondASpan() {
        count(BEYOND);
    }

    /// A page that is not the guest's, or lies askew, was refused.
    void refused(boolean bigPagesOf64KiB, boolean big) {
        count(refusals(bigPagesOf64KiB, big));
    }

    /// Requires that nothing was left out.
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
