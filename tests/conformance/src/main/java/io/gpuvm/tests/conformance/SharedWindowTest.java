package io.gpuvm.tests.conformance;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.linux.Seal;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/// Tests of windows that another process maps, on devices that have them: entries, moves, closing.
@GpuTest
@WholeGpuOnly("windows belong to a guest's VMM, not to the guest")
final class SharedWindowTest {
    private static final int PAGE = WindowBench.PAGE;
    private static final int PAGES = WindowBench.PAGES;
    private static final long HERE = Bench.VRAM_DATA;
    private static final long THERE = HERE + 9 * PAGE;

    private final Bench bench;
    private final WindowBench windows;
    private final SharedWindow window;
    private final ForeignView seen;

    SharedWindowTest(Bench bench) {
        this.bench = bench;
        windows = new WindowBench(bench);
        window = windows.window;
        seen = windows.seen;
    }

    @Test
    void givenNewWindow_whenMapped_thenLengthEqualsRequestAndNoVramIsShown() {
        windows.word(0, 17);

        assertEquals((long) PAGES * PAGE, window.bytes());
        assertEquals(window.bytes(), window.exported().bytes());
        assertEquals(window.bytes(), window.memory().byteSize());
        assertEquals(0, seen.word(0));
        seen.word(PAGE, 18);
        assertEquals(18, window.memory().get(JAVA_INT, PAGE));
        assertEquals(17, windows.word(0));
    }

    @Test
    void givenEntry_whenFlushed_thenPageIsShownWithOneCopy() {
        windows.word(HERE, 1);
        window.set(2, WindowBench.entry(HERE));
        assertEquals(1, window.flush());

        assertEquals(1, seen.word(2 * PAGE));
        assertEquals(0, window.flush(), "no entry was set since the last flush");
        window.set(2, WindowBench.entry(HERE));
        assertEquals(0, window.flush(), "the page is already shown");
    }

    @Test
    void givenPage_whenMovedWithinWindow_thenOldPageRetainsCopy() {
        windows.word(HERE, 41);
        windows.show(1, HERE);

        windows.show(2, HERE);

        assertEquals(41, seen.word(2 * PAGE));
        assertEquals(41, seen.word(PAGE), "a copy");
        seen.word(PAGE, 42);
        assertEquals(41, windows.word(HERE), "only a copy");
        seen.word(2 * PAGE, 43);
        assertEquals(43, windows.word(HERE));
        assertEquals(42, seen.word(PAGE));
    }

    @Test
    void givenDisplacedPage_whenEntryIsSetAgain_thenPageShowsVramAgain() {
        windows.word(HERE, 41);
        windows.show(1, HERE);
        windows.show(2, HERE);
        seen.word(2 * PAGE, 44);

        windows.show(1, HERE);

        assertEquals(44, seen.word(PAGE));
        seen.word(PAGE, 45);
        assertEquals(45, windows.word(HERE));
        assertEquals(44, seen.word(2 * PAGE));
    }

    @Test
    void givenDisplacedPage_whenEntryIsCleared_thenOtherPageStillShowsVram() {
        windows.show(1, HERE);
        windows.show(2, HERE);

        window.set(1, PageTableEntry.NOT_PRESENT);
        assertEquals(0, window.flush());

        seen.word(2 * PAGE, 46);
        assertEquals(46, windows.word(HERE));
    }

    @Test
    void givenTwoPagesForSameVram_whenSetTogether_thenLastSetPageShowsVram() {
        int[][] orders = {{4, 9}, {9, 4}, {4, 9, 4}, {9, 4, 9, 9}};
        for (int[] order : orders) {
            for (int page : order) {
                window.set(page, WindowBench.entry(HERE));
            }
            window.flush();
            int winner = order[order.length - 1];
            seen.word(winner * PAGE, 50 + winner);
            assertEquals(50 + winner, windows.word(HERE));
            window.clear();
        }
    }

    @Test
    void givenSeveralEntriesForOnePage_whenSetTogether_thenLastEntryApplies() {
        windows.word(HERE, 61);
        windows.word(THERE, 62);
        window.set(3, WindowBench.entry(HERE));
        window.set(4, WindowBench.entry(HERE));
        window.set(3, PageTableEntry.NOT_PRESENT);
        window.set(3, WindowBench.entry(THERE));
        window.flush();

        assertEquals(62, seen.word(3 * PAGE));
        assertEquals(61, seen.word(4 * PAGE));
    }

    @Test
    void givenTwoPages_whenSwapped_thenContentsAreSwapped() {
        windows.word(HERE, 71);
        windows.word(THERE, 72);
        window.set(0, WindowBench.entry(HERE));
        window.set(1, WindowBench.entry(THERE));
        window.flush();
        seen.word(4, 73);
        seen.word(PAGE + 4, 74);

        window.set(0, WindowBench.entry(THERE));
        window.set(1, WindowBench.entry(HERE));
        window.flush();

        assertEquals(72, seen.word(0));
        assertEquals(74, seen.word(4));
        assertEquals(71, seen.word(PAGE));
        assertEquals(73, seen.word(PAGE + 4));
        assertEquals(73, windows.word(HERE + 4));
        assertEquals(74, windows.word(THERE + 4));
    }

    @Test
    void givenTwoWindowsWithEntryForSamePage_whenFlushed_thenLastFlushedWindowShowsPage() {
        SharedWindow other = windows.open();
        ForeignView others = bench.keep(new ForeignView(other.exported()));
        windows.show(1, HERE);
        seen.word(PAGE, 81);

        other.set(8, WindowBench.entry(HERE));
        other.flush();

        assertEquals(81, others.word(8 * PAGE));
        others.word(8 * PAGE, 82);
        assertEquals(82, windows.word(HERE));
        assertEquals(81, seen.word(PAGE));

        other.close();
        assertEquals(82, windows.word(HERE));
        windows.show(1, HERE);
        assertEquals(82, seen.word(PAGE));
        others.word(8 * PAGE, 83);
        assertEquals(82, windows.word(HERE), "the memory of a closed window is not the GPU's");
    }

    @Test
    void givenPage_whenEntryIsCleared_thenVramRetainsContent() {
        windows.show(1, HERE);
        seen.word(PAGE + 4, 91);

        window.set(1, PageTableEntry.NOT_PRESENT);
        assertEquals(1, window.flush());

        assertEquals(91, windows.word(HERE + 4));
        assertEquals(91, seen.word(PAGE + 4), "a copy");
        windows.word(HERE + 4, 92);
        assertEquals(91, seen.word(PAGE + 4));
    }

    @Test
    void givenEntriesOutsideVram_whenSet_thenPagesShowNoVram() {
        windows.word(HERE, 95);
        long system = PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, HERE);
        for (long entry : new long[] {system, WindowBench.entry(HERE) & ~1L, 0, -1L << 1}) {
            windows.show(1, HERE);
            window.set(1, entry);
            window.flush();
            seen.word(PAGE, 96);
            assertEquals(95, windows.word(HERE));
        }
    }

    @Test
    void givenInvalidPagesAndAddresses_whenSet_thenCallsAreRefused() {
        long end = bench.gpu.vramBytes();
        window.set(0, WindowBench.entry(end - PAGE));
        assertThrows(IndexOutOfBoundsException.class, () -> window.set(0, WindowBench.entry(end)));
        assertThrows(
                IndexOutOfBoundsException.class, () -> window.set(PAGES, WindowBench.entry(HERE)));
        assertThrows(
                IndexOutOfBoundsException.class, () -> window.set(-1, WindowBench.entry(HERE)));
        assertThrows(IllegalArgumentException.class, () -> bench.gpu.openSharedWindow(100));
        assertThrows(IllegalArgumentException.class, () -> bench.gpu.openSharedWindow(0));

        window.flush();
        seen.word(PAGE - 4, 97);
        assertEquals(97, windows.word(end - 4));
    }

    @Test
    void givenWindowWithManyPages_whenCleared_thenWindowIsZeroAndSeparateFromVram() {
        for (int page = 0; page < PAGES; page++) {
            window.set(page, WindowBench.entry(HERE + (long) page * PAGE));
            seen.word(page * PAGE, 1);
        }
        window.flush();
        window.set(3, WindowBench.entry(THERE));

        window.clear();

        assertEquals(0, window.flush(), "pending entries are also cleared");
        for (int page = 0; page < PAGES; page++) {
            assertEquals(0, seen.word(page * PAGE));
            windows.word(HERE + (long) page * PAGE, 101);
            assertEquals(0, seen.word(page * PAGE));
        }
        windows.show(3, HERE);
        assertEquals(101, seen.word(3 * PAGE));
    }

    @Test
    void givenSharedWindow_whenGpuIsReset_thenWindowIsClearedAndUsable() {
        windows.show(1, HERE);
        seen.word(PAGE, 111);

        bench.reset();

        assertEquals(0, seen.word(PAGE));
        windows.word(HERE, 112);
        assertEquals(0, seen.word(PAGE));
        windows.show(1, HERE);
        assertEquals(112, seen.word(PAGE));
    }

    @Test
    void givenWindow_whenClosed_thenVramRetainsContent() {
        window.set(0, WindowBench.entry(HERE));
        window.set(1, WindowBench.entry(THERE));
        window.flush();
        seen.word(0, 121);
        seen.word(PAGE, 122);

        window.close();

        assertEquals(121, windows.word(HERE));
        assertEquals(122, windows.word(THERE));
        seen.word(0, 123);
        assertEquals(121, windows.word(HERE));
    }

    @Test
    void givenManyWindows_whenOpenedAndClosed_thenNextWindowFits() {
        for (int i = 0; i < 2000; i++) {
            try (SharedWindow one = bench.gpu.openSharedWindow(PAGE).orElseThrow()) {
                one.set(0, WindowBench.entry(HERE));
                one.flush();
            }
        }
    }

    @Test
    void givenOtherProcess_whenFileIsTruncatedOrExtended_thenChangeIsRefused() throws IOException {
        int descriptor = window.exported().descriptor();
        assertTrue(Seal.of(descriptor).containsAll(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL)));
        try (RandomAccessFile file = new RandomAccessFile("/proc/self/fd/" + descriptor, "rw")) {
            assertThrows(IOException.class, () -> file.setLength(0));
            assertThrows(IOException.class, () -> file.setLength(2 * window.bytes()));
            assertEquals(window.bytes(), file.length());
        }
    }
}
