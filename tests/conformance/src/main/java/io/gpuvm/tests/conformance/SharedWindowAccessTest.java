package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests of pages of VRAM that another process has mapped. All paths must show the same content.
@GpuTest
@WholeGpuOnly("windows belong to a guest's VMM, not to the guest")
final class SharedWindowAccessTest {
    private static final int PAGE = WindowBench.PAGE;
    private static final int PAGES = WindowBench.PAGES;
    private static final long HERE = Bench.VRAM_DATA;
    private static final long THERE = HERE + 9 * PAGE;
    private static final int CHANNEL = 3;

    private final Bench bench;
    private final WindowBench windows;
    private final SharedWindow window;
    private final ForeignView seen;

    SharedWindowAccessTest(Bench bench) {
        this.bench = bench;
        windows = new WindowBench(bench);
        window = windows.window;
        seen = windows.seen;
    }

    @Test
    void givenPage_whenWrittenOnEitherSide_thenPraminAndOtherProcessAgree() {
        windows.word(HERE + 8, 1);
        windows.show(5, HERE);

        assertEquals(1, seen.word(5 * PAGE + 8), "written before");
        seen.word(5 * PAGE + 12, 2);
        assertEquals(2, windows.word(HERE + 12));
        windows.word(HERE + 16, 3);
        assertEquals(3, seen.word(5 * PAGE + 16));
    }

    @Test
    void givenPage_whenAccessedThroughBothBars_thenBarsAndOtherProcessAgree() {
        for (Bar bar : new Bar[] {Bar.BAR1, Bar.BAR3}) {
            BarSlice slice = bench.keep(bench.gpu.openSlice(bar, 2L * PAGE));
            slice.set(1, WindowBench.entry(HERE));
            slice.flush();
            long at = slice.offset() + PAGE;
            bench.gpu.write(bar, at + 4, Integer.BYTES, 11);
            window.set(0, PageTableEntry.NOT_PRESENT);
            window.flush();
            bench.gpu.write(bar, at + 8, Integer.BYTES, 12);

            windows.show(0, HERE);

            assertEquals(11, seen.word(4), "written before");
            assertEquals(12, seen.word(8), "written while the page was unmapped");
            bench.gpu.write(bar, at + 12, Integer.BYTES, 13);
            assertEquals(13, seen.word(12));
            seen.word(16, 14);
            assertEquals(14, bench.readBar(bar, at + 16));
        }
    }

    @Test
    void givenPage_whenAccessedThroughVramWindow_thenWindowAndOtherProcessAgree() {
        VramWindow view = bench.keep(bench.gpu.openWindow(2L * PAGE));
        view.point(HERE - PAGE);
        view.pages().write(PAGE + 8, Integer.BYTES, 21);

        windows.show(7, HERE);

        assertEquals(21, seen.word(7 * PAGE + 8));
        seen.word(7 * PAGE + 12, 22);
        assertEquals(22, view.pages().read(PAGE + 12, Integer.BYTES));
        view.pages().write(PAGE - 4, Long.BYTES, 23L << Integer.SIZE | 24);
        assertEquals(23, seen.word(7 * PAGE), "half of an access that crosses the boundary");
        assertEquals(24, windows.word(HERE - 4));
    }

    @Test
    void givenPages_whenEnginesCopyPages_thenOtherProcessSeesCopies() {
        TestChannel channel = bench.running(CHANNEL);
        for (ClassId engine : new ClassId[] {ClassId.M2MF, ClassId.COPY0, ClassId.COPY1}) {
            long source = Bench.VRAM_VA;
            long target = Bench.VRAM_VA + THERE - HERE;
            channel.run(new Program().copy(engine, target, source, PAGE));
            window.set(1, WindowBench.entry(HERE));
            window.set(2, WindowBench.entry(THERE));
            window.flush();
            int value = engine.ordinal() + 100;
            seen.word(PAGE + 64, value);

            channel.run(new Program().copy(engine, source, target, PAGE));

            assertEquals(value, seen.word(2 * PAGE + 64), engine.name());
            window.clear();
        }
    }

    @Test
    void givenPageTablesInWindow_whenOtherProcessWritesTables_thenEnginesUseTables() {
        VramTables tables = new VramTables(bench);
        TestAddressSpace space = bench.showHost(new TestAddressSpace(bench, tables));
        space.map(Bench.VRAM_VA, MemoryTarget.VRAM, HERE, PAGE);
        long table = tables.lastWritten();
        windows.show(3, table & -PAGE);
        TestChannel channel = bench.channel(CHANNEL, space, MemoryTarget.VRAM).start();
        bench.runlist(CHANNEL);
        long host = bench.allocate(PAGE);
        windows.word(HERE, 31);
        windows.word(THERE, 32);
        Program copy = new Program().copy(ClassId.M2MF, Bench.VRAM_VA, Bench.HOST_VA + host, PAGE);
        channel.run(copy);
        assertEquals(31, bench.host().word(host));

        long entry = WindowBench.entry(THERE);
        seen.word(3 * PAGE + table % PAGE, (int) entry);
        seen.word(3 * PAGE + table % PAGE + Integer.BYTES, (int) (entry >>> Integer.SIZE));
        space.flush();

        channel.run(new Program().copy(ClassId.M2MF, Bench.VRAM_VA, Bench.HOST_VA + host, PAGE));
        assertEquals(32, bench.host().word(host));
    }

    @Test
    void givenCopyInProgress_whenPagesMove_thenNoDataIsLost() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int pages = 2 * PAGES;
        int bytes = pages * PAGE;
        VramWindow source = bench.keep(bench.gpu.openWindow(bytes));
        source.point(HERE);
        VramWindow target = bench.keep(bench.gpu.openWindow(bytes));
        target.point(HERE + bytes);
        TestChannel channel = bench.running(CHANNEL);
        for (int round = 1; round <= 300; round++) {
            fill(source, round);
            channel.submit(
                    new Program()
                            .copy(ClassId.M2MF, Bench.VRAM_VA, Bench.VRAM_VA + bytes, bytes)
                            .reference(round));
            int expected = round;
            bench.await(
                    "copy",
                    () -> {
                        long vramOffset = HERE + random.nextLong(2 * pages) * PAGE;
                        windows.show(random.nextInt(PAGES), vramOffset);
                        return channel.userd.refCount() == expected;
                    });
            check(target, round, seed);
        }
    }

    private static void fill(VramWindow window, int round) {
        for (long at = 0; at < window.bytes(); at += Long.BYTES) {
            window.pages().write(at, Long.BYTES, (long) round << Integer.SIZE | at);
        }
    }

    private static void check(VramWindow window, int round, long seed) {
        for (long at = 0; at < window.bytes(); at += Long.BYTES) {
            long expected = (long) round << Integer.SIZE | at;
            long found = window.pages().read(at, Long.BYTES);
            if (found != expected) {
                fail(
                        "offset=%#x: value=%#x, expected=%#x, seed=%d"
                                .formatted(at, found, expected, seed));
            }
        }
    }
}
