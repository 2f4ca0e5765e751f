package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.memory.Words;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Test of the same pages of VRAM through BAR3, PRAMIN, BAR1, M2MF, the copy engines and two
/// windows of other processes, in random order, while pages move between windows. Every path must
/// show the last write through any path.
@GpuTest
@WholeGpuOnly("windows belong to a guest's VMM, not to the guest")
@Tag("soak")
final class CoherenceTest {
    private static final int STEPS = 100_000;
    private static final int STEPS_PER_CHECK = 5_000;
    private static final int PAGE = (int) Bench.PAGE_BYTES;

    /// Number of pages: more than both windows have together, but so few that accesses often
    /// conflict.
    private static final int VRAM_PAGES = 12;

    private static final int WINDOW_PAGES = 5;
    private static final int WINDOWS = 2;
    private static final int MAX_SET = 4;
    private static final int MAX_COPY_BYTES = 2 * PAGE;
    private static final int CHANNEL = 6;

    private final Bench bench;
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final SharedWindow[] windows = new SharedWindow[WINDOWS];
    private final ForeignView[] views = new ForeignView[WINDOWS];
    private final List<WindowModel.Window> models =
            List.of(new WindowModel.Window(WINDOW_PAGES), new WindowModel.Window(WINDOW_PAGES));
    private final WindowModel model = new WindowModel(VRAM_PAGES, models);
    private TestChannel channel;
    private List<MemoryWay> ways;

    CoherenceTest(Bench bench) {
        this.bench = bench;
    }

    @Test
    void givenEveryPathToPage_whenPageIsWrittenAndMovedAtRandom_thenAllPathsAgree() {
        for (int i = 0; i < WINDOWS; i++) {
            open(i);
        }
        channel = bench.running(CHANNEL);
        long bytes = VRAM_PAGES * Bench.PAGE_BYTES;
        ways =
                List.of(
                        MemoryWay.bar(bench, Bar.BAR3, bytes),
                        MemoryWay.pramin(bench),
                        MemoryWay.bar(bench, Bar.BAR1, bytes),
                        MemoryWay.engine(bench, channel, ClassId.M2MF),
                        MemoryWay.engine(bench, channel, ClassId.COPY0),
                        MemoryWay.engine(bench, channel, ClassId.COPY1));
        erase();
        for (int step = 0; step < STEPS; step++) {
            step(step);
            if (step % STEPS_PER_CHECK == 0) {
                checkEverything(step);
            }
        }
        checkEverything(STEPS);
        assertTrue(model.doubles() > STEPS / 100, "double mappings: " + model.doubles());
    }

    private void open(int i) {
        windows[i] =
                bench.gpu.openSharedWindow((long) WINDOW_PAGES * Bench.PAGE_BYTES).orElse(null);
        assumeTrue(windows[i] != null, "the device has no shared windows");
        bench.keep(windows[i]);
        views[i] = bench.keep(new ForeignView(windows[i].exported()));
    }

    /// Zeroes the pages, whose content after a reset is undefined.
    private void erase() {
        for (long at = 0; at < VRAM_PAGES * Bench.PAGE_BYTES; at += Long.BYTES) {
            ways.getFirst().write(at, Long.BYTES, 0);
        }
    }

    private void step(int step) {
        switch (random.nextInt(8)) {
            case 0 -> move(step);
            case 1 -> accessWindow(step);
            case 2 -> copy();
            default -> access(step);
        }
    }

    private void move(int step) {
        int i = random.nextInt(WINDOWS);
        if (random.nextInt(STEPS / 100) == 0) {
            windows[i].close();
            open(i);
            model.reopen(models.get(i));
        }
        for (int left = random.nextInt(MAX_SET) + 1; left > 0; left--) {
            int page = random.nextInt(WINDOW_PAGES);
            int vramPage = random.nextInt(VRAM_PAGES + 1) - 1;
            windows[i].set(page, entry(vramPage));
            models.get(i).set(page, vramPage);
        }
        assertEquals(model.flush(models.get(i)), windows[i].flush(), () -> at(step, "flush"));
    }

    private static long entry(int vramPage) {
        return vramPage == WindowModel.NOTHING
                ? PageTableEntry.NOT_PRESENT
                : PageTableEntry.of(
                        MemoryTarget.VRAM, Bench.VRAM_DATA + vramPage * Bench.PAGE_BYTES);
    }

    /// Writes through one path and reads through another.
    private void access(int step) {
        MemoryWay writer = ways.get(random.nextInt(ways.size()));
        MemoryWay reader = ways.get(random.nextInt(ways.size()));
        int width = 1 << random.nextInt(4);
        long offset = random.nextLong(VRAM_PAGES * Bench.PAGE_BYTES) & -width;
        long value = random.nextLong();
        writer.write(offset, width, value);
        model.write(offset, width, value);
        long elsewhere = random.nextInt(4) == 0 ? offset ^ width : offset;
        assertEquals(
                model.read(elsewhere, width),
                reader.read(elsewhere, width),
                () -> at(step, "written through " + writer + ", read through " + reader));
    }

    /// Writes to a page of a window from the other process. If the page shows VRAM, reads through
    /// another path.
    private void accessWindow(int step) {
        int i = random.nextInt(WINDOWS);
        int page = random.nextInt(WINDOW_PAGES);
        int width = 1 << random.nextInt(4);
        long offset = random.nextInt(PAGE) & -width;
        long value = random.nextLong();
        Words.write(views[i].memory(), (long) page * PAGE + offset, width, value);
        Words.write(model.seen(models.get(i), page), offset, width, value);
        int shown = models.get(i).shown(page);
        if (shown != WindowModel.NOTHING) {
            MemoryWay reader = ways.get(random.nextInt(ways.size()));
            assertEquals(
                    MemoryWay.truncate(value, width),
                    reader.read(shown * Bench.PAGE_BYTES + offset, width),
                    at(step, "written through window " + i + ", read through " + reader));
        }
    }

    /// Copies within VRAM with an engine, across pages in different windows.
    private void copy() {
        ClassId[] engines = {ClassId.M2MF, ClassId.COPY0, ClassId.COPY1};
        int bytes = random.nextInt(MAX_COPY_BYTES) + 1;
        long half = VRAM_PAGES * Bench.PAGE_BYTES / 2;
        long low = random.nextLong(half - bytes);
        long high = half + random.nextLong(half - bytes);
        long source = random.nextBoolean() ? low : high;
        long target = low + high - source;
        ClassId engine = engines[random.nextInt(engines.length)];
        channel.run(
                new Program().copy(engine, Bench.VRAM_VA + source, Bench.VRAM_VA + target, bytes));
        model.copy(source, target, bytes);
    }

    private void checkEverything(int step) {
        for (MemoryWay way : ways.subList(0, 3)) {
            for (long at = 0; at < VRAM_PAGES * Bench.PAGE_BYTES; at += Long.BYTES) {
                assertEquals(
                        model.read(at, Long.BYTES),
                        way.read(at, Long.BYTES),
                        at(step, "all through " + way));
            }
        }
        for (int i = 0; i < WINDOWS; i++) {
            for (int page = 0; page < WINDOW_PAGES; page++) {
                long mismatch =
                        model.seen(models.get(i), page)
                                .mismatch(views[i].memory().asSlice((long) page * PAGE, PAGE));
                assertEquals(-1, mismatch, at(step, "window " + i + ", page " + page));
            }
        }
    }

    private String at(int step, String what) {
        return "%s, step=%d, seed=%d".formatted(what, step, seed);
    }
}
