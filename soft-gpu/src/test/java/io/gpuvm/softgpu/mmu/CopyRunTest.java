package io.gpuvm.softgpu.mmu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.softgpu.fifo.TestAddressSpace;
import io.gpuvm.softgpu.fifo.TestGpu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Runs of copies over big pages, which may be contiguous in memory.
class CopyRunTest {
    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final int PAGE = (int) PageSize.BIG_128K.bytes();
    private static final int PAGES = 6;
    private static final int BYTES = PAGES * PAGE;
    private static final long SOURCE = 0x4000_0000L;
    private static final long TARGET = 0x4800_0000L;

    private final TestGpu gpu = new TestGpu();
    private final ChannelTlb space = new ChannelTlb(gpu.mmu);
    private final VirtualMemory memory = new VirtualMemory(space);
    private final long sourceVram = gpu.allocate(BYTES + PAGE) + PAGE - 1 & -PAGE;
    private final long targetVram = gpu.allocate(BYTES + PAGE) + PAGE - 1 & -PAGE;

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenContiguousBigPages_whenCopied_thenCopyIsOneRun() {
        TestAddressSpace tables = new TestAddressSpace(gpu);
        mapInOrder(tables);
        space.load(VRAM, tables.instance());

        assertEquals(BYTES - 8, memory.copyRun(TARGET + 8, SOURCE, BYTES - 8));
        assertEquals(1000, memory.copyRun(TARGET, SOURCE, 1000));
        assertEquals(BYTES - 5, memory.copyRun(TARGET, SOURCE + 5, Integer.MAX_VALUE));
    }

    private void mapInOrder(TestAddressSpace tables) {
        for (int at = 0; at < BYTES; at += PAGE) {
            mapBig(tables, SOURCE + at, sourceVram + at);
            mapBig(tables, TARGET + at, targetVram + at);
        }
    }

    private static void mapBig(TestAddressSpace tables, long gpuVa, long vram) {
        tables.entry(PageSize.BIG_128K, gpuVa, PageTableEntry.of(VRAM, vram));
    }

    @Test
    void givenReadOnlyPageAfterWritablePages_whenCopiedTo_thenRunEndsBeforePage() {
        TestAddressSpace tables = new TestAddressSpace(gpu);
        mapInOrder(tables);
        long entry = PageTableEntry.of(VRAM, targetVram + 2L * PAGE);
        tables.entry(PageSize.BIG_128K, TARGET + 2 * PAGE, PageTableEntry.readOnly(entry));
        space.load(VRAM, tables.instance());

        assertEquals(2 * PAGE, memory.copyRun(TARGET, SOURCE, BYTES));
    }

    @Test
    void givenRandomTables_whenCopied_thenBytesAndFaultsEqualSinglePageCopies() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int trial = 0; trial < 30; trial++) {
            TestAddressSpace tables = new TestAddressSpace(gpu);
            int[] source = mapAtRandom(tables, SOURCE, sourceVram, random);
            int[] target = mapAtRandom(tables, TARGET, targetVram, random);
            space.load(VRAM, tables.instance());
            byte[] bytes = new byte[BYTES];
            random.nextBytes(bytes);
            gpu.slice(sourceVram, BYTES).copyFrom(MemorySegment.ofArray(bytes));
            gpu.slice(targetVram, BYTES).fill((byte) 0);

            int from = random.nextInt(BYTES);
            int to = random.nextInt(BYTES);
            int length = 1 + random.nextInt(BYTES - Math.max(from, to));
            int copied = copy(SOURCE + from, TARGET + to, length);

            assertEquals(firstMissing(source, from, target, to, length), copied, "seed=" + seed);
            for (int i = 0; i < copied; i += 1 + random.nextInt(500)) {
                byte expected = bytes[home(source, from + i)];
                long at = targetVram + home(target, to + i);
                byte actual = gpu.slice(at, 1).get(ValueLayout.JAVA_BYTE, 0);
                assertEquals(expected, actual, "seed=" + seed);
            }
        }
    }

    /// Maps pages in an order that makes some of them contiguous, with occasional gaps.
    ///
    /// @return page of memory, by page of the mapping; -1 if the page is unmapped
    private int[] mapAtRandom(TestAddressSpace tables, long gpuVa, long vram, Random random) {
        int[] pages = new int[PAGES];
        int rotation = random.nextInt(PAGES);
        for (int i = 0; i < PAGES; i++) {
            pages[i] = random.nextInt(12) == 0 ? -1 : (i + rotation) % PAGES;
            long at = gpuVa + (long) i * PAGE;
            long memoryAt = vram + (long) pages[i] * PAGE;
            if (pages[i] >= 0 && random.nextInt(4) == 0) {
                tables.mapVram(at, memoryAt, PAGE);
            } else if (pages[i] >= 0) {
                mapBig(tables, at, memoryAt);
            }
        }
        return pages;
    }

    /// @return number of bytes copied
    private int copy(long source, long target, int length) {
        int done = 0;
        try {
            while (done < length) {
                int run = memory.copyRun(target + done, source + done, length - done);
                assertTrue(run > 0 && run <= length - done, () -> "run=" + run);
                done += run;
            }
        } catch (MmuFault _) {
            return done;
        }
        return done;
    }

    private static int firstMissing(int[] source, int from, int[] target, int to, int length) {
        int i = 0;
        while (i < length && source[(from + i) / PAGE] >= 0 && target[(to + i) / PAGE] >= 0) {
            i++;
        }
        return i;
    }

    private static int home(int[] pages, int offset) {
        return pages[offset / PAGE] * PAGE + offset % PAGE;
    }
}
