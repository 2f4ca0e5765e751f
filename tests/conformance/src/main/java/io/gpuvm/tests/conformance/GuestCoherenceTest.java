package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.memory.Words;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pramin;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Test of a guest whose BARs are mapped by its VMM. The same pages of VRAM are accessed in random
/// order through BAR3, BAR1 and PRAMIN, by plain and by trapped accesses, and through M2MF and the
/// copy engines, while the guest changes the entries of its BARs and moves PRAMIN.
@GpuTest
final class GuestCoherenceTest {
    private static final int STEPS = 100_000;
    private static final long PAGE = Bench.PAGE_BYTES;
    private static final int VRAM_PAGES = 10;
    private static final int BAR3_PAGES = 6;
    private static final int BAR1_PAGES = 4;
    private static final int CHANNEL = 6;

    // Of PRAMIN_MOVES_EVERY steps, on average one moves PRAMIN, BAR_CHANGES change an entry of a
    // BAR, and LOST_WRITES write to a hidden page; the other steps are accesses, and one in
    // ENGINE_EVERY chooses an engine. Moves of PRAMIN, which copy 512 pages, and engines, which
    // require a wait for the GPU's owner, are rare because they take long.
    private static final int PRAMIN_MOVES_EVERY = 128;
    private static final int BAR_CHANGES = 8;
    private static final int LOST_WRITES = 8;
    private static final int ENGINE_EVERY = 16;

    /// End of the part of BAR1 that is trapped because drivers have doorbells there.
    private static final long BAR1_START = Bench.MIB;

    private static final long DOORBELL_BYTES = (long) Pfifo.CHANNELS * Userd.BYTES;

    /// Bases of PRAMIN: three that show the pages, and one that shows other VRAM.
    private static final long[] PRAMIN_BASES = {
        Bench.VRAM_DATA,
        Bench.VRAM_DATA - (1L << Pbus.PMEM_VRAM.scale()),
        Bench.VRAM_DATA - 15 * (1L << Pbus.PMEM_VRAM.scale()),
        Bench.VRAM_DATA + 4 * Bench.MIB
    };

    private final Bench bench;
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final GuestPlaces places = new GuestPlaces(BAR3_PAGES + BAR1_PAGES, VRAM_PAGES);
    private final MemorySegment model =
            MemorySegment.ofArray(new long[(int) (VRAM_PAGES * PAGE / Long.BYTES)]);
    private final List<MemoryWay> engines = new ArrayList<>();
    private final List<MemoryWay> ways = new ArrayList<>();
    private BarSlice trapped;
    private BarSlice bar3;
    private BarSlice bar1;
    private MemorySegment bar3Memory;
    private MemorySegment bar1Memory;
    private MemorySegment praminMemory;
    private long praminBase;

    GuestCoherenceTest(Bench bench) {
        this.bench = bench;
    }

    @Test
    void givenMappedBars_whenPagesAreWrittenAndMovedAtRandom_thenAllPathsAgree() {
        GuestMappings mappings = bench.mappings().orElse(null);
        assumeTrue(mappings != null, "not a guest's GPU");
        long doublesBefore = mappings.doubles();
        open(mappings);
        for (int step = 0; step < STEPS; step++) {
            int kind = random.nextInt(PRAMIN_MOVES_EVERY);
            if (kind == 0) {
                movePramin(PRAMIN_BASES[random.nextInt(PRAMIN_BASES.length)]);
            } else if (kind <= BAR_CHANGES) {
                changeBar();
            } else if (kind <= BAR_CHANGES + LOST_WRITES) {
                writeHiddenPage();
            } else {
                access(step);
            }
        }
        assertTrue(places.doubles() > STEPS / 1000, "double mappings: " + places.doubles());
        assertTrue(mappings.doubles() - doublesBefore >= places.doubles(), "counted doubles");
    }

    private void open(GuestMappings mappings) {
        TestChannel channel = bench.running(CHANNEL);
        trapped = bench.keep(bench.gpu.openSlice(Bar.BAR1, BAR1_START - DOORBELL_BYTES));
        for (int page = 0; page < VRAM_PAGES; page++) {
            trapped.set(page, entry(page));
        }
        trapped.flush();
        bar1 = bench.keep(bench.gpu.openSlice(Bar.BAR1, BAR1_PAGES * PAGE));
        bar3 = bench.keep(bench.gpu.openSlice(Bar.BAR3, BAR3_PAGES * PAGE));
        Optional<Exported> ofBar3 = mappings.part(Bar.BAR3, bar3.offset(), bar3.bytes());
        assumeTrue(ofBar3.isPresent(), "the guest's VMM lacks a mapping of BAR3");
        bar3Memory = view(ofBar3);
        bar1Memory = view(mappings.part(Bar.BAR1, bar1.offset(), bar1.bytes()));
        int pramin = Pramin.WINDOW.first();
        praminMemory = view(mappings.part(Bar.BAR0, pramin, Pramin.WINDOW.end() - pramin));
        for (ClassId engine : new ClassId[] {ClassId.M2MF, ClassId.COPY0, ClassId.COPY1}) {
            engines.add(MemoryWay.engine(bench, channel, engine));
        }
        movePramin(Bench.VRAM_DATA);
        praminMemory.asSlice(0, model.byteSize()).fill((byte) 0);
    }

    private MemorySegment view(Optional<Exported> mapped) {
        return bench.keep(new ForeignView(mapped.orElseThrow())).memory();
    }

    private void changeBar() {
        int page = random.nextInt(BAR3_PAGES + BAR1_PAGES);
        int vramPage = random.nextInt(VRAM_PAGES + 1) - 1;
        BarSlice slice = page < BAR3_PAGES ? bar3 : bar1;
        slice.set(page < BAR3_PAGES ? page : page - BAR3_PAGES, entry(vramPage));
        slice.flush();
        places.name(page, vramPage);
    }

    private static long entry(int vramPage) {
        return vramPage == GuestPlaces.NONE
                ? PageTableEntry.NOT_PRESENT
                : PageTableEntry.of(MemoryTarget.VRAM, Bench.VRAM_DATA + vramPage * PAGE);
    }

    private void movePramin(long vramOffset) {
        praminBase = vramOffset;
        bench.write(Pbus.PMEM, (int) Pbus.PMEM_VRAM.ofBytes(vramOffset));
    }

    /// Writes to a page whose VRAM another page shows; the written page is private memory.
    private void writeHiddenPage() {
        int page = random.nextInt(BAR3_PAGES + BAR1_PAGES);
        if (places.isLoser(page)) {
            new Direct("page without VRAM", memoryOf(page), offsetOf(page))
                    .write(random.nextInt((int) PAGE), Byte.BYTES, random.nextLong());
        }
    }

    /// Writes through one path and reads through another.
    private void access(int step) {
        int vramPage = random.nextInt(VRAM_PAGES);
        waysTo(vramPage);
        MemoryWay writer = anyWay();
        MemoryWay reader = anyWay();
        int width = 1 << random.nextInt(4);
        long offset = random.nextInt((int) PAGE) & -width;
        long value = random.nextLong();
        writer.write(offset, width, value);
        Words.write(model, vramPage * PAGE + offset, width, value);
        long elsewhere = random.nextInt(4) == 0 ? random.nextInt((int) PAGE) & -width : offset;
        assertEquals(
                Words.read(model, vramPage * PAGE + elsewhere, width),
                reader.read(elsewhere, width),
                () ->
                        "page %d, written through %s, read through %s, step=%d, seed=%d"
                                .formatted(vramPage, writer, reader, step, seed));
    }

    /// Returns a random path. Engines, which are slow, are chosen less often.
    private MemoryWay anyWay() {
        boolean engine = random.nextInt(ENGINE_EVERY) == 0;
        return engine ? ways.getFirst() : ways.get(1 + random.nextInt(ways.size() - 1));
    }

    /// Collects all paths to a page, beginning with an engine.
    private void waysTo(int vramPage) {
        ways.clear();
        MemoryWay engine = engines.get(random.nextInt(engines.size()));
        ways.add(new Shifted(engine, vramPage * PAGE));
        ways.add(new Trapped(bench, Bar.BAR1, trapped.offset() + vramPage * PAGE));
        for (int page = 0; page < BAR3_PAGES + BAR1_PAGES; page++) {
            if (places.named(page) == vramPage) {
                BarSlice slice = page < BAR3_PAGES ? bar3 : bar1;
                ways.add(new Trapped(bench, slice.bar(), slice.offset() + offsetOf(page)));
                if (!places.isLoser(page)) {
                    ways.add(new Direct(slice.bar().name(), memoryOf(page), offsetOf(page)));
                }
            }
        }
        long inPramin = Bench.VRAM_DATA + vramPage * PAGE - praminBase;
        if (inPramin >= 0 && inPramin < praminMemory.byteSize()) {
            ways.add(new Trapped(bench, Bar.BAR0, Pramin.WINDOW.first() + inPramin));
            if (!places.isInBar(vramPage)) {
                ways.add(new Direct("PRAMIN", praminMemory, inPramin));
            }
        }
    }

    private MemorySegment memoryOf(int page) {
        return page < BAR3_PAGES ? bar3Memory : bar1Memory;
    }

    private static long offsetOf(int page) {
        return (page < BAR3_PAGES ? page : page - BAR3_PAGES) * PAGE;
    }

    /// Path through plain memory.
    private record Direct(String name, MemorySegment memory, long start) implements MemoryWay {
        @Override
        public long read(long offset, int width) {
            return Words.read(memory, start + offset, width);
        }

        @Override
        public void write(long offset, int width, long value) {
            Words.write(memory, start + offset, width, value);
        }
    }

    /// Path through messages to the GPU.
    private record Trapped(Bench bench, Bar bar, long start) implements MemoryWay {
        @Override
        public long read(long offset, int width) {
            return bench.gpu.read(bar, start + offset, width);
        }

        @Override
        public void write(long offset, int width, long value) {
            bench.gpu.write(bar, start + offset, width, value);
        }
    }

    /// Part of another path, beginning at an offset.
    private record Shifted(MemoryWay way, long start) implements MemoryWay {
        @Override
        public long read(long offset, int width) {
            return way.read(start + offset, width);
        }

        @Override
        public void write(long offset, int width, long value) {
            way.write(start + offset, width, value);
        }
    }
}
