package io.gpuvm.softgpu.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.memory.VramHomes;
import io.gpuvm.gf100.memory.VramPages;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.FileStatus;
import io.gpuvm.softgpu.engine.WorkCounters;
import io.gpuvm.softgpu.memory.Vram;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedWindowsTest {
    private static final int PAGE = VramHomes.PAGE_BYTES;
    private static final int MANY = 1000;

    /// Allowance for allocations by the measurement, in bytes.
    private static final long ALLOWED_BYTES = 4096;

    private final Vram vram = new Vram(16L << 20);
    private final VramPages pages = vram.pages();

    /// Number of changes during which the engines are held.
    private int changes;

    private final SharedWindows windows =
            new SharedWindows(vram.homes(), this::change, new WorkCounters());

    private void change(Runnable change) {
        changes++;
        change.run();
    }

    @AfterEach
    void close() {
        windows.close();
        vram.close();
    }

    private static long entry(int vramPage) {
        return PageTableEntry.of(MemoryTarget.VRAM, (long) vramPage * PAGE);
    }

    @Test
    void givenManyPages_whenMoved_thenEnginesAreHeldForFewPagesPerStep() {
        SharedWindow window = windows.open((long) MANY * PAGE);
        for (int page = 0; page < MANY; page++) {
            pages.write((long) page * PAGE, Integer.BYTES, page);
            window.set(MANY - 1 - page, entry(page));
        }

        assertEquals(MANY, window.flush());
        int toShow = changes;
        for (int page = 0; page < MANY; page++) {
            window.set(page, PageTableEntry.NOT_PRESENT);
            long at = (long) (MANY - 1 - page) * PAGE;
            assertEquals(page, window.memory().get(ValueLayout.JAVA_INT, at));
            window.memory().set(ValueLayout.JAVA_INT, at, -page);
        }
        assertEquals(MANY, window.flush());

        assertTrue(toShow >= 2 * MANY / 128, "steps=" + toShow);
        assertTrue(changes - toShow >= MANY / 128, "steps=" + (changes - toShow));
        for (int page = 0; page < MANY; page++) {
            assertEquals(-page, (int) pages.read((long) page * PAGE, Integer.BYTES));
        }
    }

    @Test
    void givenLargeWindow_whenOneEntryChanges_thenEnginesAreHeldOnce() {
        SharedWindow window = windows.open((long) MANY * PAGE);
        window.flush();
        assertEquals(0, changes, "no entry was set");

        window.set(7, entry(7));
        window.flush();

        assertEquals(1, changes);
    }

    @Test
    void givenWindowMappedByOtherProcess_whenClosed_thenMemoryIsReleased() {
        SharedWindow window = windows.open((long) MANY * PAGE);
        try (Descriptor kept = Descriptor.duplicate(window.exported().descriptor())) {
            window.set(0, entry(1));
            window.flush();
            window.memory().fill((byte) 1);
            assertEquals(window.bytes(), FileStatus.of(kept.number()).usedBytes());

            window.close();

            assertEquals(0, FileStatus.of(kept.number()).usedBytes());
            assertEquals(0x0101_0101, pages.read(PAGE, Integer.BYTES));
        }
    }

    @Test
    void givenMovingPages_whenFlushedOften_thenNoMemoryIsAllocated() {
        SharedWindow window = windows.open(16L * PAGE);
        long least = Long.MAX_VALUE;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int round = 0; round < 50; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 1000; i++) {
                window.set(i % 16, entry(i % 5 + 1));
                window.set((i + 3) % 16, PageTableEntry.NOT_PRESENT);
                window.flush();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(least <= ALLOWED_BYTES, "allocated bytes=" + least);
    }

    @Test
    void givenMaximumNumberOfWindows_whenAnotherWindowIsOpened_thenOpenFailsUntilWindowIsClosed() {
        List<SharedWindow> open = new ArrayList<>();
        for (int i = 0; i < VramHomes.MAX_WINDOWS; i++) {
            open.add(windows.open(PAGE));
        }
        assertThrows(GpuDeviceException.class, () -> windows.open(PAGE));

        open.get(17).close();
        open.get(17).close();

        SharedWindow last = windows.open(PAGE);
        last.set(0, entry(3));
        last.flush();
        last.memory().set(ValueLayout.JAVA_INT, 0, 33);
        assertEquals(33, pages.read(3L * PAGE, Integer.BYTES));
    }

    @Test
    void givenInvalidSizes_whenOpened_thenOpenFails() {
        for (long bytes : new long[] {0, -PAGE, 1, PAGE + 8}) {
            assertThrows(IllegalArgumentException.class, () -> windows.open(bytes));
        }
        long tooLarge = VramHomes.MAX_WINDOW_BYTES + PAGE;
        assertThrows(GpuDeviceException.class, () -> windows.open(tooLarge));
    }
}
