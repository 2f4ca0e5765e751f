package io.gpuvm.trap.vgpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Prom;
import io.gpuvm.gf100.unit.Board;
import io.gpuvm.port.VramShare;
import io.gpuvm.trap.vfiouser.Region;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests of the place at which a page of VRAM is visible while a guest's VMM maps BARs.
class GuestWindowsTest {
    private static final long MIB = 1L << 20;
    private static final int PAGE = 4096;
    private static final int PRAMIN = Pramin.WINDOW.first() / PAGE;
    private static final int PRAMIN_PAGES = (int) (MIB / PAGE);
    private static final PciIdentity IDENTITY = Board.identity(128 * MIB, 64 * MIB);
    private static final VramShare SHARE = new VramShare(96 * MIB, 64 * MIB);

    private final FakeWindows owner = new FakeWindows(SHARE);
    private final Set<Long> exposed = new HashSet<>();
    private final MappingCounters counters = new MappingCounters();
    private final byte[] rom = new byte[16 * PAGE];
    private GuestWindows windows = windows(DirectMapping.ALL);

    @Test
    void givenNoMapping_whenOpened_thenAllBarsAreTrapped() {
        windows = windows(DirectMapping.NONE);

        windows.open();

        for (Bar bar : List.of(Bar.BAR0, Bar.BAR1, Bar.BAR3)) {
            assertTrue(region(bar).areas().isEmpty(), bar::toString);
        }
        assertFalse(windows.isMapped(Bar.BAR3));
    }

    @Test
    void givenGpuWithoutWindows_whenOpened_thenAllBarsAreTrapped() {
        owner.has(false);

        windows.open();

        assertTrue(region(Bar.BAR3).areas().isEmpty());
        assertFalse(windows.settle());
    }

    @Test
    void givenOnlyBar3_whenOpened_thenBar0IsTrapped() {
        windows = windows(DirectMapping.BAR3);

        windows.open();

        assertEquals(List.of(new Region.Area(0, 64 * MIB)), region(Bar.BAR3).areas());
        assertTrue(region(Bar.BAR0).areas().isEmpty());
    }

    @Test
    void givenFullMapping_whenOpened_thenPromContainsImageAndPraminShowsStartOfVram() {
        new Random(1).nextBytes(rom);

        windows.open();

        assertEquals(
                List.of(
                        new Region.Area(Prom.WINDOW.first(), rom.length),
                        new Region.Area(Pramin.WINDOW.first(), MIB)),
                region(Bar.BAR0).areas());
        byte[] seen =
                owner.bar0()
                        .memory()
                        .asSlice(Prom.WINDOW.first(), rom.length)
                        .toArray(ValueLayout.JAVA_BYTE);
        assertArrayEquals(rom, seen);
        assertEquals(0, owner.bar0().shown(PRAMIN));
        assertEquals(PRAMIN_PAGES - 1, owner.bar0().shown(PRAMIN + PRAMIN_PAGES - 1));
        assertTrue(exposed.contains(0L));
    }

    @Test
    void givenPageInPramin_whenMappedInBar3_thenBar3ShowsPageAndDoubleMappingIsCounted() {
        windows.open();

        windows.bar3().set(7, entry(3));
        assertTrue(windows.settle());

        assertEquals(3, owner.bar3().shown(7));
        assertEquals(FakeWindows.NOTHING, owner.bar0().shown(PRAMIN + 3));
        assertEquals(1, counters.snapshot().get("doubleMappings"));

        windows.bar3().set(7, PageTableEntry.NOT_PRESENT);
        windows.settle();

        assertEquals(3, owner.bar0().shown(PRAMIN + 3), "PRAMIN shows the page again");
    }

    @Test
    void givenPageMappedTwiceInBar3_whenFirstMappingIsRemoved_thenSecondMappingShowsPage() {
        windows.open();
        windows.bar3().set(7, entry(5000));
        windows.bar3().set(9, entry(5000));
        windows.settle();
        assertEquals(5000, owner.bar3().shown(7));
        assertEquals(FakeWindows.NOTHING, owner.bar3().shown(9));
        assertEquals(1, counters.snapshot().get("doubleMappings"));

        windows.bar3().set(7, PageTableEntry.NOT_PRESENT);
        windows.settle();

        assertEquals(5000, owner.bar3().shown(9));
        assertTrue(exposed.contains(5000L * PAGE));
    }

    @Test
    void givenPageMappedInBar1AndBar3_whenRemovedFromBar3_thenBar1ShowsPage() {
        windows.open();
        int page = (int) (2 * MIB / PAGE);
        windows.bar3().set(7, entry(5000));
        windows.bar1().set(page, entry(5000));
        windows.settle();
        assertEquals(FakeWindows.NOTHING, owner.bar1().shown(page));

        windows.bar3().set(7, PageTableEntry.NOT_PRESENT);
        windows.settle();

        assertEquals(5000, owner.bar1().shown(page));
    }

    @Test
    void givenTrappedBeginningOfBar1_whenVramIsMapped_thenNoPageMoves() {
        windows.open();

        windows.bar1().set(0, entry(5000));

        assertFalse(windows.settle());
        assertEquals(List.of(new Region.Area(MIB, 127 * MIB)), region(Bar.BAR1).areas());
        assertFalse(windows.hidesDoorbells(0));
        assertTrue(windows.hidesDoorbells(MIB));
    }

    @Test
    void givenRemovedPage_whenSettled_thenPageIsConcealedAfterMove() {
        windows.open();
        windows.bar3().set(7, entry(5000));
        windows.settle();
        owner.onShow(() -> assertTrue(exposed.contains(5000L * PAGE), "page is still exposed"));

        windows.bar3().set(7, PageTableEntry.NOT_PRESENT);
        windows.settle();

        assertFalse(exposed.contains(5000L * PAGE));
    }

    @Test
    void givenSystemMemoryInBar3_whenSettled_thenPageShowsNoVram() {
        windows.open();
        int updates = owner.updates();

        windows.bar3().set(7, PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, 64 * MIB));

        assertFalse(windows.settle());
        assertEquals(updates, owner.updates(), "no request without a change");
    }

    @Test
    void givenPraminBeyondVram_whenSettled_thenOnlyExistingPagesAreShown() {
        windows.open();

        windows.movePramin(SHARE.bytes() - 2 * PAGE);
        windows.settle();

        int last = (int) (SHARE.bytes() / PAGE) - 1;
        assertEquals(last, owner.bar0().shown(PRAMIN + 1));
        assertEquals(FakeWindows.NOTHING, owner.bar0().shown(PRAMIN + 2));

        windows.movePramin((1L << 40) - MIB);
        windows.settle();

        assertEquals(FakeWindows.NOTHING, owner.bar0().shown(PRAMIN));
        assertTrue(exposed.isEmpty());
    }

    @Test
    void givenShownPages_whenReset_thenNoPageIsExposedAndPromIsRestored() {
        windows.open();
        windows.bar3().set(7, entry(5000));
        windows.settle();
        owner.bar0().memory().fill((byte) 1);

        windows.reset();

        assertTrue(exposed.isEmpty());
        assertEquals(0, owner.bar0().memory().get(ValueLayout.JAVA_BYTE, Prom.WINDOW.first()));
    }

    @Test
    void givenDisconnectedUser_whenNextUserConnects_thenWindowsAreNew() {
        windows.open();
        FakeWindows.Window first = owner.bar3();
        windows.bar3().set(7, entry(5000));
        windows.settle();

        windows.close();
        windows.open();

        assertTrue(first.isClosed());
        assertFalse(owner.bar3() == first);
        assertEquals(FakeWindows.NOTHING, owner.bar3().shown(7));
    }

    /// Tests the size of requests, because other guests wait while the owner moves pages.
    @Test
    void givenAllPagesOfBar3Changed_whenSettled_thenEachRequestIsWithinLimit() {
        windows.open();
        int[] most = {0};
        owner.onShow(() -> most[0] = Math.max(most[0], owner.bar3().pending()));
        int pages = (int) (SHARE.bytes() / PAGE);
        int updates = owner.updates();

        for (int page = 0; page < pages; page++) {
            windows.bar3().set(page, entry(pages - 1 - page));
        }
        windows.settle();

        assertEquals(VramPlaces.CHANGES_AT_ONCE, most[0]);
        assertEquals(owner.updates(), counters.snapshot().get("updates"));
        int expected = (pages + PRAMIN_PAGES) / VramPlaces.CHANGES_AT_ONCE;
        assertEquals(expected, owner.updates() - updates, 1);
        for (int page = 0; page < pages; page++) {
            assertEquals(pages - 1 - page, owner.bar3().shown(page));
        }
    }

    /// Compares the windows with a model of the visibility rules.
    @Test
    void givenRandomChanges_whenSettled_thenWindowsMatchModel() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        windows.open();
        int[] named = new int[16];
        Arrays.fill(named, -1);
        long base = 0;
        int step = 0;
        for (; step < 10_000; step++) {
            int page = random.nextInt(named.length);
            if (random.nextInt(8) == 0) {
                base = random.nextInt(40);
                windows.movePramin(base * PAGE * 16);
            } else {
                int vram = random.nextInt(4) == 0 ? -1 : random.nextInt(24) * 16;
                windows.bar3().set(page, vram < 0 ? PageTableEntry.NOT_PRESENT : entry(vram));
                named[page] = vram;
            }
            if (random.nextInt(3) == 0) {
                windows.settle();
                verify(named, base * 16, "seed=%d step=%d".formatted(seed, step));
            }
        }
    }

    private void verify(int[] named, long praminBase, String where) {
        Set<Long> visible = new HashSet<>();
        for (int page = 0; page < named.length; page++) {
            int shown = owner.bar3().shown(page);
            assertTrue(shown == FakeWindows.NOTHING || shown == named[page], where);
            if (named[page] >= 0) {
                int vram = named[page];
                long places =
                        IntStream.range(0, named.length)
                                .filter(other -> owner.bar3().shown(other) == vram)
                                .count();
                assertEquals(1, places, where);
                visible.add((long) vram * PAGE);
            }
        }
        for (int i = 0; i < PRAMIN_PAGES; i++) {
            long vram = praminBase + i;
            boolean inBar3 = visible.contains(vram * PAGE);
            int expected =
                    inBar3 || vram >= SHARE.bytes() / PAGE ? FakeWindows.NOTHING : (int) vram;
            assertEquals(expected, owner.bar0().shown(PRAMIN + i), where);
        }
        for (int i = 0; i < PRAMIN_PAGES; i++) {
            visible.add((praminBase + i) * PAGE);
        }
        assertEquals(visible, exposed, where);
    }

    private GuestWindows windows(DirectMapping mapping) {
        Exposure exposure =
                new Exposure() {
                    @Override
                    public void expose(long guestVram) {
                        assertTrue(exposed.add(guestVram), "page exposed twice");
                    }

                    @Override
                    public void conceal(long guestVram) {
                        assertTrue(exposed.remove(guestVram), "page was not exposed");
                    }
                };
        return new GuestWindows(
                "vm0",
                mapping,
                IDENTITY,
                owner.requests(),
                new VramPlaces(SHARE, owner.requests(), exposure, counters),
                rom);
    }

    private Region region(Bar bar) {
        return windows.region(bar, IDENTITY.bytesOf(bar));
    }

    private static long entry(int guestPage) {
        return PageTableEntry.of(MemoryTarget.VRAM, SHARE.toHost((long) guestPage * PAGE));
    }
}
