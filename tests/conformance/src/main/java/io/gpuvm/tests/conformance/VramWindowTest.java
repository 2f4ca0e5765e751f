package io.gpuvm.tests.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pramin;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Tests of windows to VRAM.
@GpuTest
@WholeGpuOnly("a guest reaches VRAM through its BARs")
final class VramWindowTest {
    private static final long PAGE = Bench.PAGE_BYTES;
    private static final long HERE = Bench.VRAM_DATA;

    private final Bench bench;
    private final WatchedGpu gpu;

    VramWindowTest(Bench bench) {
        this.bench = bench;
        this.gpu = bench.gpu;
    }

    private VramWindow window(long bytes, long vramOffset) {
        VramWindow window = bench.keep(gpu.openWindow(bytes));
        window.point(vramOffset);
        return window;
    }

    private int pramin(long vramOffset) {
        bench.write(Pbus.PMEM, (int) Pbus.PMEM_VRAM.ofBytes(vramOffset));
        long into = vramOffset & (1L << Pbus.PMEM_VRAM.scale()) - 1;
        return (int) gpu.read(Bar.BAR0, Pramin.WINDOW.first() + into, Integer.BYTES);
    }

    @Test
    void givenNewWindow_whenNotMoved_thenWindowShowsStartOfVram() {
        VramWindow window = bench.keep(gpu.openWindow(2 * PAGE));
        window.memory().set(JAVA_INT, PAGE + 4, 4711);

        assertEquals(2 * PAGE, window.bytes());
        assertEquals(2 * PAGE, window.memory().byteSize());
        assertEquals(4711, pramin(PAGE + 4));
    }

    @Test
    void givenWindow_whenAccessedInEveryWidth_thenValuesAreLittleEndian() {
        MemorySegment memory = window(PAGE, HERE).memory();
        memory.set(JAVA_LONG, 0, 0x0102_0304_0506_0708L);
        assertEquals(0x0506_0708, memory.get(JAVA_INT, 0));
        assertEquals(0x0304, memory.get(JAVA_SHORT, 4));
        assertEquals(0x01, memory.get(JAVA_BYTE, 7));

        memory.set(JAVA_INT, 4, 0x1112_1314);
        memory.set(JAVA_SHORT, 0, (short) 0x2122);
        memory.set(JAVA_BYTE, 2, (byte) 0x33);
        assertEquals(0x1112_1314_0533_2122L, memory.get(JAVA_LONG, 0));
    }

    @Test
    void givenWindow_whenMoved_thenWindowShowsNewRangeAndOldRangeIsUnchanged() {
        VramWindow window = window(PAGE, HERE);
        window.memory().set(JAVA_INT, 8, 1);
        window.point(HERE + 5 * PAGE);
        window.memory().set(JAVA_INT, 8, 2);

        assertEquals(1, pramin(HERE + 8));
        assertEquals(2, pramin(HERE + 5 * PAGE + 8));
        window.point(HERE);
        assertEquals(1, window.memory().get(JAVA_INT, 8));
    }

    @Test
    void givenWindowOfSeveralPages_whenAccessed_thenWindowIsContiguous() {
        MemorySegment memory = window(4 * PAGE, HERE + PAGE).memory();
        for (int page = 0; page < 4; page++) {
            memory.set(JAVA_INT, page * PAGE + PAGE - 4, page + 1);
        }
        for (int page = 0; page < 4; page++) {
            assertEquals(page + 1, pramin(HERE + (page + 2) * PAGE - 4));
        }
    }

    @Test
    void givenTwoWindows_whenOverlapping_thenBothShowSameMemory() {
        VramWindow low = window(2 * PAGE, HERE);
        VramWindow high = window(2 * PAGE, HERE + PAGE);
        low.memory().set(JAVA_INT, PAGE + 16, 21);
        high.memory().set(JAVA_INT, 20, 22);

        assertEquals(21, high.memory().get(JAVA_INT, 16));
        assertEquals(22, low.memory().get(JAVA_INT, PAGE + 20));
    }

    @Test
    void givenWindow_whenMovedToEndOfVram_thenEndIsShownAndRangesBeyondAreRefused() {
        VramWindow window = window(2 * PAGE, gpu.vramBytes() - 2 * PAGE);
        window.memory().set(JAVA_LONG, 2 * PAGE - 8, 77);
        assertEquals(77, window.memory().get(JAVA_LONG, 2 * PAGE - 8));

        for (long offset : new long[] {gpu.vramBytes() - PAGE, gpu.vramBytes(), -PAGE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> window.point(offset));
        }
        assertEquals(77, window.memory().get(JAVA_LONG, 2 * PAGE - 8));
    }

    @Test
    void givenUnalignedBytes_whenOpenedOrMoved_thenCallIsRefused() {
        VramWindow window = window(PAGE, HERE);

        assertThrows(IllegalArgumentException.class, () -> window.point(8));
        assertThrows(IllegalArgumentException.class, () -> gpu.openWindow(100));
    }

    @Test
    void givenLargeWindows_whenOpenedAndClosedManyTimes_thenNextWindowFits() {
        for (int i = 0; i < 20; i++) {
            try (VramWindow window = gpu.openWindow(8 * Bench.MIB)) {
                window.point(HERE);
                window.memory().set(JAVA_INT, 0, i);
                assertEquals(i, window.memory().get(JAVA_INT, 0));
            }
        }
    }

    @Test
    void givenVramWindow_whenGpuIsReset_thenWindowShowsSameRange() {
        VramWindow window = window(PAGE, HERE + 3 * PAGE);

        gpu.reset();

        window.memory().set(JAVA_INT, 8, 99);
        assertEquals(99, pramin(HERE + 3 * PAGE + 8));
    }
}
