package io.gpuvm.tests.conformance;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.linux.Seal;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Windows that another process maps, on devices that have such. The other process is a second
/// mapping of the same file.
@GpuTest
@WholeGpuOnly("a guest's VMM has the windows, not the guest")
final class SharedWindowTest {
    private static final int PAGE = (int) Bench.PAGE_BYTES;
    private static final int PAGES = 16;
    private static final long HERE = Bench.VRAM_DATA;
    private static final long THERE = HERE + 9 * PAGE;
    private static final int CHANNEL = 3;

    private final Bench bench;
    private final SharedWindow window;
    private final ForeignView seen;

    SharedWindowTest(Bench bench) {
        this.bench = bench;
        window = open();
        seen = bench.keep(new ForeignView(window.exported()));
    }

    private SharedWindow open() {
        Optional<SharedWindow> opened = bench.gpu.openSharedWindow((long) PAGES * PAGE);
        assumeTrue(opened.isPresent(), "the device has no shared windows");
        return bench.keep(opened.get());
    }

    private static long vram(long offset) {
        return PageTableEntry.of(MemoryTarget.VRAM, offset);
    }

    private void show(int page, long vramOffset) {
        window.set(page, vram(vramOffset));
        window.flush();
    }

    private void pointPramin(long vramOffset) {
        bench.write(Pbus.PMEM, (int) Pbus.PMEM_VRAM.ofBytes(vramOffset));
    }

    private long inPramin(long vramOffset) {
        return Pramin.WINDOW.first() + (vramOffset & (1L << Pbus.PMEM_VRAM.scale()) - 1);
    }

    private int pramin(long vramOffset) {
        pointPramin(vramOffset);
        return (int) bench.gpu.read(Bar.BAR0, inPramin(vramOffset), Integer.BYTES);
    }

    private void pramin(long vramOffset, int value) {
        pointPramin(vramOffset);
        bench.gpu.write(Bar.BAR0, inPramin(vramOffset), Integer.BYTES, value);
    }

    @Test
    void givenANewWindow_whenMapped_thenItIsAsLongAsAskedAndShowsNothing() {
        pramin(0, 17);

        assertEquals((long) PAGES * PAGE, window.bytes());
        assertEquals(window.bytes(), window.exported().bytes());
        assertEquals(window.bytes(), window.memory().byteSize());
        assertEquals(0, seen.word(0));
        seen.word(PAGE, 18);
        assertEquals(18, window.memory().get(JAVA_INT, PAGE));
        assertEquals(17, pramin(0));
    }

    @Test
    void givenAnEntry_whenItIsNotFlushed_thenItDoesNotCountForCertain() {
        pramin(HERE, 1);
        window.set(2, vram(HERE));
        assertEquals(1, window.flush());

        assertEquals(1, seen.word(2 * PAGE));
        assertEquals(0, window.flush(), "nothing was set since");
        window.set(2, vram(HERE));
        assertEquals(0, window.flush(), "it is shown already");
    }

    @Test
    void givenAPage_whenWrittenOnEitherSide_thenPraminAndTheOtherProcessAgree() {
        pramin(HERE + 8, 1);
        show(5, HERE);

        assertEquals(1, seen.word(5 * PAGE + 8), "written before");
        seen.word(5 * PAGE + 12, 2);
        assertEquals(2, pramin(HERE + 12));
        pramin(HERE + 16, 3);
        assertEquals(3, seen.word(5 * PAGE + 16));
    }

    @Test
    void givenAPage_whenSeenThroughBothBars_thenTheyAgreeWithTheOtherProcess() {
        for (Bar bar : new Bar[] {Bar.BAR1, Bar.BAR3}) {
            BarSlice slice = bench.keep(bench.gpu.openSlice(bar, 2L * PAGE));
            slice.set(1, vram(HERE));
            slice.flush();
            long at = slice.offset() + PAGE;
            bench.gpu.write(bar, at + 4, Integer.BYTES, 11);
            window.set(0, PageTableEntry.NOT_PRESENT);
            window.flush();
            bench.gpu.write(bar, at + 8, Integer.BYTES, 12);

            show(0, HERE);

            assertEquals(11, seen.word(4), "written before");
            assertEquals(12, seen.word(8), "written while it was away");
            bench.gpu.write(bar, at + 12, Integer.BYTES, 13);
            assertEquals(13, seen.word(12));
            seen.word(16, 14);
            assertEquals(14, bench.readBar(bar, at + 16));
        }
    }

    @Test
    void givenAPage_whenSeenThroughAVramWindow_thenItFollows() {
        VramWindow view = bench.keep(bench.gpu.openWindow(2L * PAGE));
        view.point(HERE - PAGE);
        view.pages().write(PAGE + 8, Integer.BYTES, 21);

        show(7, HERE);

        assertEquals(21, seen.word(7 * PAGE + 8));
        seen.word(7 * PAGE + 12, 22);
        assertEquals(22, view.pages().read(PAGE + 12, Integer.BYTES));
        view.pages().write(PAGE - 4, Long.BYTES, 23L << Integer.SIZE | 24);
        assertEquals(23, seen.word(7 * PAGE), "half of an access that crosses the border");
        assertEquals(24, pramin(HERE - 4));
    }

    @Test
    void givenPages_whenEnginesCopyFromAndToThem_thenTheOtherProcessSeesIt() {
        TestChannel channel = bench.running(CHANNEL);
        for (ClassId engine : new ClassId[] {ClassId.M2MF, ClassId.COPY0, ClassId.COPY1}) {
            long source = Bench.VRAM_VA;
            long target = Bench.VRAM_VA + THERE - HERE;
            channel.run(new Program().copy(engine, target, source, PAGE));
            window.set(1, vram(HERE));
            window.set(2, vram(THERE));
            window.flush();
            int value = engine.ordinal() + 100;
            seen.word(PAGE + 64, value);

            channel.run(new Program().copy(engine, source, target, PAGE));

            assertEquals(value, seen.word(2 * PAGE + 64), engine.name());
            window.clear();
        }
    }

    @Test
    void givenPageTablesInAWindow_whenTheOtherProcessWritesThem_thenEnginesFollow() {
        VramTables tables = new VramTables(bench);
        AddressSpace space = bench.showHost(new AddressSpace(bench, tables));
        space.map(Bench.VRAM_VA, MemoryTarget.VRAM, HERE, PAGE);
        long table = tables.lastWritten();
        show(3, table & -PAGE);
        TestChannel channel = bench.channel(CHANNEL, space, MemoryTarget.VRAM).start();
        bench.runlist(CHANNEL);
        long host = bench.allocate(PAGE);
        pramin(HERE, 31);
        pramin(THERE, 32);
        Program copy = new Program().copy(ClassId.M2MF, Bench.VRAM_VA, Bench.HOST_VA + host, PAGE);
        channel.run(copy);
        assertEquals(31, bench.host().word(host));

        long entry = vram(THERE);
        seen.word(3 * PAGE + table % PAGE, (int) entry);
        seen.word(3 * PAGE + table % PAGE + Integer.BYTES, (int) (entry >>> Integer.SIZE));
        space.flush();

        channel.run(new Program().copy(ClassId.M2MF, Bench.VRAM_VA, Bench.HOST_VA + host, PAGE));
        assertEquals(32, bench.host().word(host));
    }

    @Test
    void givenAPage_whenItMovesWithinTheWindow_thenTheFirstPlaceKeepsACopy() {
        pramin(HERE, 41);
        show(1, HERE);

        show(2, HERE);

        assertEquals(41, seen.word(2 * PAGE));
        assertEquals(41, seen.word(PAGE), "a copy");
        seen.word(PAGE, 42);
        assertEquals(41, pramin(HERE), "and nothing but a copy");
        seen.word(2 * PAGE, 43);
        assertEquals(43, pramin(HERE));
        assertEquals(42, seen.word(PAGE));
    }

    @Test
    void givenAPageThatLost_whenItsEntryIsSetAgain_thenItWins() {
        pramin(HERE, 41);
        show(1, HERE);
        show(2, HERE);
        seen.word(2 * PAGE, 44);

        show(1, HERE);

        assertEquals(44, seen.word(PAGE));
        seen.word(PAGE, 45);
        assertEquals(45, pramin(HERE));
        assertEquals(44, seen.word(2 * PAGE));
    }

    @Test
    void givenAPageThatLost_whenItsEntryIsTakenAway_thenTheWinnerKeepsIt() {
        show(1, HERE);
        show(2, HERE);

        window.set(1, PageTableEntry.NOT_PRESENT);
        assertEquals(0, window.flush());

        seen.word(2 * PAGE, 46);
        assertEquals(46, pramin(HERE));
    }

    @Test
    void givenTwoPagesOfTheSame_whenSetTogether_thenTheOneThatWasSetLastWins() {
        int[][] orders = {{4, 9}, {9, 4}, {4, 9, 4}, {9, 4, 9, 9}};
        for (int[] order : orders) {
            for (int page : order) {
                window.set(page, vram(HERE));
            }
            window.flush();
            int winner = order[order.length - 1];
            seen.word(winner * PAGE, 50 + winner);
            assertEquals(50 + winner, pramin(HERE));
            window.clear();
        }
    }

    @Test
    void givenAPageWithSeveralEntries_whenSetTogether_thenTheLastOneCounts() {
        pramin(HERE, 61);
        pramin(THERE, 62);
        window.set(3, vram(HERE));
        window.set(4, vram(HERE));
        window.set(3, PageTableEntry.NOT_PRESENT);
        window.set(3, vram(THERE));
        window.flush();

        assertEquals(62, seen.word(3 * PAGE));
        assertEquals(61, seen.word(4 * PAGE));
    }

    @Test
    void givenTwoPages_whenTheyChangePlaces_thenEachTakesItsBytesAlong() {
        pramin(HERE, 71);
        pramin(THERE, 72);
        window.set(0, vram(HERE));
        window.set(1, vram(THERE));
        window.flush();
        seen.word(4, 73);
        seen.word(PAGE + 4, 74);

        window.set(0, vram(THERE));
        window.set(1, vram(HERE));
        window.flush();

        assertEquals(72, seen.word(0));
        assertEquals(74, seen.word(4));
        assertEquals(71, seen.word(PAGE));
        assertEquals(73, seen.word(PAGE + 4));
        assertEquals(73, pramin(HERE + 4));
        assertEquals(74, pramin(THERE + 4));
    }

    @Test
    void givenTwoWindows_whenBothShowAPage_thenTheOneThatWasFlushedLastHasIt() {
        SharedWindow other = open();
        ForeignView others = bench.keep(new ForeignView(other.exported()));
        show(1, HERE);
        seen.word(PAGE, 81);

        other.set(8, vram(HERE));
        other.flush();

        assertEquals(81, others.word(8 * PAGE));
        others.word(8 * PAGE, 82);
        assertEquals(82, pramin(HERE));
        assertEquals(81, seen.word(PAGE));

        other.close();
        assertEquals(82, pramin(HERE));
        show(1, HERE);
        assertEquals(82, seen.word(PAGE));
        others.word(8 * PAGE, 83);
        assertEquals(82, pramin(HERE), "what is left of a closed window is nothing of the GPU's");
    }

    @Test
    void givenAPage_whenItsEntryIsTakenAway_thenVramHasWhatItShowed() {
        show(1, HERE);
        seen.word(PAGE + 4, 91);

        window.set(1, PageTableEntry.NOT_PRESENT);
        assertEquals(1, window.flush());

        assertEquals(91, pramin(HERE + 4));
        assertEquals(91, seen.word(PAGE + 4), "a copy");
        pramin(HERE + 4, 92);
        assertEquals(91, seen.word(PAGE + 4));
    }

    @Test
    void givenEntriesThatAreNotInVram_whenSet_thenTheyShowNothing() {
        pramin(HERE, 95);
        long system = PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, HERE);
        for (long entry : new long[] {system, vram(HERE) & ~1L, 0, -1L << 1}) {
            show(1, HERE);
            window.set(1, entry);
            window.flush();
            seen.word(PAGE, 96);
            assertEquals(95, pramin(HERE));
        }
    }

    @Test
    void givenThingsThatDoNotExist_whenSet_thenThatIsRefused() {
        long end = bench.gpu.vramBytes();
        window.set(0, vram(end - PAGE));
        assertThrows(IndexOutOfBoundsException.class, () -> window.set(0, vram(end)));
        assertThrows(IndexOutOfBoundsException.class, () -> window.set(PAGES, vram(HERE)));
        assertThrows(IndexOutOfBoundsException.class, () -> window.set(-1, vram(HERE)));
        assertThrows(IllegalArgumentException.class, () -> bench.gpu.openSharedWindow(100));
        assertThrows(IllegalArgumentException.class, () -> bench.gpu.openSharedWindow(0));

        window.flush();
        seen.word(PAGE - 4, 97);
        assertEquals(97, pramin(end - 4));
    }

    @Test
    void givenAWindowThatShowsMuch_whenCleared_thenItIsZeroAndNobodyFollows() {
        for (int page = 0; page < PAGES; page++) {
            window.set(page, vram(HERE + (long) page * PAGE));
            seen.word(page * PAGE, 1);
        }
        window.flush();
        window.set(3, vram(THERE));

        window.clear();

        assertEquals(0, window.flush(), "what was set is forgotten, too");
        for (int page = 0; page < PAGES; page++) {
            assertEquals(0, seen.word(page * PAGE));
            pramin(HERE + (long) page * PAGE, 101);
            assertEquals(0, seen.word(page * PAGE));
        }
        show(3, HERE);
        assertEquals(101, seen.word(3 * PAGE));
    }

    @Test
    void givenAWindow_whenTheGpuIsReset_thenItIsClearAndStillGood() {
        show(1, HERE);
        seen.word(PAGE, 111);

        bench.reset();

        assertEquals(0, seen.word(PAGE));
        pramin(HERE, 112);
        assertEquals(0, seen.word(PAGE));
        show(1, HERE);
        assertEquals(112, seen.word(PAGE));
    }

    @Test
    void givenAWindow_whenClosed_thenVramHasWhatItShowed() {
        window.set(0, vram(HERE));
        window.set(1, vram(THERE));
        window.flush();
        seen.word(0, 121);
        seen.word(PAGE, 122);

        window.close();

        assertEquals(121, pramin(HERE));
        assertEquals(122, pramin(THERE));
        seen.word(0, 123);
        assertEquals(121, pramin(HERE));
    }

    @Test
    void givenManyWindows_whenOpenedAndClosed_thenThereIsRoomForTheNext() {
        for (int i = 0; i < 2000; i++) {
            try (SharedWindow one = bench.gpu.openSharedWindow(PAGE).orElseThrow()) {
                one.set(0, vram(HERE));
                one.flush();
            }
        }
    }

    @Test
    void givenTheOtherProcess_whenItCutsTheFileOrMakesItLonger_thenTheKernelRefuses()
            throws IOException {
        int descriptor = window.exported().descriptor();
        assertTrue(Seal.of(descriptor).containsAll(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL)));
        try (RandomAccessFile file = new RandomAccessFile("/proc/self/fd/" + descriptor, "rw")) {
            assertThrows(IOException.class, () -> file.setLength(0));
            assertThrows(IOException.class, () -> file.setLength(2 * window.bytes()));
            assertEquals(window.bytes(), file.length());
        }
    }
}
