package io.gpuvm.gf100.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.mmu.MemoryTarget;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VramPagesTest {
    private static final int PAGE = VramHomes.PAGE_BYTES;
    private static final int PAGES = 8;

    private final MemorySegment vram = memory(PAGES);
    private final MemorySegment window = memory(4);
    private final VramHomes homes = new VramHomes(vram);
    private final VramPages pages = homes.pages();
    private final HostSpan span = new HostSpan();

    private static MemorySegment memory(int pages) {
        return MemorySegment.ofArray(new long[pages * PAGE / Long.BYTES]);
    }

    @Test
    void givenImmovableMemory_whenOffsetIsLocated_thenResultIsContiguous() {
        pages.locate(5, span);

        assertSame(vram, span.segment());
        assertEquals(5, span.offset());
        assertEquals((long) PAGES * PAGE - 5, span.bytes());
        assertTrue(span.isWritable());
        assertFalse(span.isFragile());
    }

    @Test
    void givenPageInWindow_whenAccessed_thenBytesAreInWindow() {
        pages.write(2 * PAGE + 16, 8, 0x1122_3344_5566_7788L);
        int number = homes.open(window);

        homes.move(2, number, 3);

        assertEquals(0x1122_3344_5566_7788L, pages.read(2 * PAGE + 16, 8));
        pages.write(2 * PAGE + 20, 2, 0xabcd);
        assertEquals(0x1122_abcd_5566_7788L, Words.read(window, 3 * PAGE + 16, 8));
        assertEquals(0x1122_3344_5566_7788L, Words.read(vram, 2 * PAGE + 16, 8), "old home");
        pages.locate(2 * PAGE + 24, span);
        assertSame(window, span.segment());
        assertEquals(3 * PAGE + 24, span.offset());
        assertEquals(PAGE - 24, span.bytes());
    }

    @Test
    void givenPageInWindow_whenMovedToOtherWindowAndBack_thenBytesMoveWithPage() {
        MemorySegment other = memory(2);
        int first = homes.open(window);
        int second = homes.open(other);
        homes.move(1, first, 0);
        pages.write(PAGE, 4, 7);

        homes.move(1, second, 1);
        assertEquals(7, Words.read(other, PAGE, 4));
        assertFalse(homes.isAt(1, first, 0));
        assertTrue(homes.isAt(1, second, 1));
        pages.write(PAGE, 4, 8);

        homes.moveBack(1);
        assertEquals(8, Words.read(vram, PAGE, 4));
        assertEquals(7, Words.read(window, 0, 4), "old home");
        assertFalse(homes.isAway(1));
    }

    @Test
    void givenPageInWindow_whenAbandoned_thenVramContentsAreUnchanged() {
        pages.write(PAGE, 4, 7);
        homes.move(1, homes.open(window), 0);
        pages.write(PAGE, 4, 8);

        homes.abandon(1);

        assertEquals(7, pages.read(PAGE, 4));
    }

    @Test
    void givenOpenWindow_whenUnmovedPageIsLocated_thenResultIsOnePageInVram() {
        homes.open(window);

        pages.locate(3 * PAGE + 8, span);

        assertSame(vram, span.segment());
        assertEquals(3 * PAGE + 8, span.offset());
        assertEquals(PAGE - 8, span.bytes());
    }

    @Test
    void givenPagesWithDifferentHomes_whenAccessCrossesPages_thenBothPagesAreAccessed() {
        homes.move(3, homes.open(window), 1);
        long border = 3L * PAGE;
        for (int width : new int[] {2, 4, 8}) {
            for (int before = 1; before < width; before++) {
                long value = 0x8877_6655_4433_2211L >>> Long.SIZE - width * Byte.SIZE;
                pages.write(border - before, width, value);

                assertEquals(value, pages.read(border - before, width));
                long low = value & -1L >>> Long.SIZE - before * Byte.SIZE;
                assertEquals(low, readBytes(vram, border - before, before));
                assertEquals(value >>> before * Byte.SIZE, readBytes(window, PAGE, width - before));
            }
        }
    }

    private static long readBytes(MemorySegment memory, long offset, int count) {
        long value = 0;
        for (int i = 0; i < count; i++) {
            value |= Words.read(memory, offset + i, 1) << i * Byte.SIZE;
        }
        return value;
    }

    @Test
    void givenPart_whenPageMoves_thenPartAccessesWindowAndBoundsAreChecked() {
        VramPages part = pages.part(2 * PAGE, 3 * PAGE);
        pages.write(4 * PAGE + 8, 4, 77);

        homes.move(4, homes.open(window), 2);

        assertEquals(77, part.read(2 * PAGE + 8, 4));
        part.write(2 * PAGE + 12, 4, 78);
        assertEquals(78, Words.read(window, 2 * PAGE + 12, 4));
        assertEquals(78, part.part(PAGE, 2 * PAGE).read(PAGE + 12, 4));
        for (long outside : new long[] {-1, 3 * PAGE, 3 * PAGE - 3, Long.MAX_VALUE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> part.read(outside, 4));
            assertThrows(IndexOutOfBoundsException.class, () -> part.write(outside, 4, 1));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> part.locate(3 * PAGE, span));
        assertThrows(IllegalArgumentException.class, () -> pages.part(8, PAGE));
        assertThrows(IndexOutOfBoundsException.class, () -> pages.part(PAGE, PAGES * PAGE));
    }

    @Test
    void givenPhysicalMemory_whenPageMoves_thenReadsWritesAndSpansUseWindow() {
        PhysicalMemory memory = new PhysicalMemory(pages, (_, _) -> false);
        homes.move(1, homes.open(window), 0);

        memory.write(MemoryTarget.VRAM, PAGE + 4, 4, 5);

        assertEquals(5, Words.read(window, 4, 4));
        assertEquals(5, memory.read(MemoryTarget.VRAM, PAGE + 4, 4, span));
        assertTrue(memory.locate(MemoryTarget.VRAM, PAGE, span));
        assertSame(window, span.segment());
        assertEquals(-1L, memory.read(MemoryTarget.VRAM, (long) PAGES * PAGE - 4, 8));
        assertFalse(memory.locate(MemoryTarget.VRAM, (long) PAGES * PAGE, span));
    }

    @Test
    void givenRangeInBothHomes_whenMovedPagesAreCleared_thenOtherPagesKeepContents() {
        vram.fill((byte) 1);
        int number = homes.open(window);
        homes.move(2, number, 0);
        homes.move(4, number, 1);

        pages.clearAway(2 * PAGE + 8, 2 * PAGE);

        assertEquals(0x0101_0101, pages.read(2 * PAGE + 4, 4));
        assertEquals(0, pages.read(2 * PAGE + 8, 4));
        assertEquals(0, pages.read(3 * PAGE - 4, 4));
        assertEquals(0x0101_0101, pages.read(3 * PAGE, 4));
        assertEquals(0, pages.read(4 * PAGE + 4, 4));
        assertEquals(0x0101_0101, pages.read(4 * PAGE + 8, 4));
    }

    @Test
    void givenMaximumNumberOfWindows_whenWindowIsClosed_thenNumberIsReused() {
        for (int i = 0; i < VramHomes.MAX_WINDOWS; i++) {
            assertEquals(i + 1, homes.open(window));
        }
        assertThrows(IllegalStateException.class, () -> homes.open(window));

        homes.move(0, VramHomes.MAX_WINDOWS, 3);
        pages.write(8, 4, 9);
        assertEquals(9, Words.read(window, 3 * PAGE + 8, 4), "the largest number");

        homes.close(17);
        assertEquals(17, homes.open(window));
    }

    @Test
    void givenRandomMovesAndAccesses_whenComparedWithPlainMemory_thenContentsAreEqual() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        MemorySegment model = memory(PAGES);
        int number = homes.open(window);
        int[] inWindow = {-1, -1, -1, -1};
        for (int i = 0; i < 100_000; i++) {
            int page = random.nextInt(inWindow.length);
            int vramPage = random.nextInt(PAGES);
            if (inWindow[page] >= 0 && homes.isAt(inWindow[page], number, page)) {
                homes.moveBack(inWindow[page]);
                inWindow[page] = -1;
            } else {
                homes.move(vramPage, number, page);
                inWindow[page] = vramPage;
            }
            int width = 1 << random.nextInt(4);
            long offset = random.nextLong((long) PAGES * PAGE - width);
            long value = random.nextLong();
            pages.write(offset, width, value);
            Words.write(model, offset, width, value);
            long elsewhere = random.nextLong((long) PAGES * PAGE - width);
            assertEquals(
                    Words.read(model, elsewhere, width),
                    pages.read(elsewhere, width),
                    "seed=" + seed);
        }
    }
}
