package io.gpuvm.softgpu.mmu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.softgpu.fifo.TestAddressSpace;
import io.gpuvm.softgpu.fifo.TestGpu;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Page tables from the perspective of the engines.
class PageTablesTest {
    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final long VA = 0x12_3450_0000L;

    private final TestGpu gpu = new TestGpu();
    private TestAddressSpace tables = new TestAddressSpace(gpu);
    private final ChannelTlb space = new ChannelTlb(gpu.mmu);
    private final VirtualMemory memory = new VirtualMemory(space);

    @AfterEach
    void close() {
        gpu.close();
    }

    private void load() {
        space.load(VRAM, tables.instance());
    }

    private MmuFault faultOf(Executable access) {
        return assertThrows(MmuFault.class, access);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givenSmallAndBigPages_whenAccessed_thenEachPageReachesOwnMemory(boolean of64KiB) {
        gpu.mmu.bigPagesOf64KiB(of64KiB);
        tables = new TestAddressSpace(gpu);
        load();
        PageSize big = gpu.mmu.geometry().bigPage();
        long small = gpu.allocate(TestGpu.PAGE_BYTES);
        long large = gpu.allocate(2 * big.bytes()) + big.bytes() - 1 & -big.bytes();
        long bigVa = VA + gpu.mmu.geometry().spanBytes() & -big.bytes();
        tables.mapVram(VA, small, TestGpu.PAGE_BYTES);
        tables.entry(big, bigVa, PageTableEntry.of(VRAM, large));

        gpu.word(small + 8, 11);
        gpu.word(large + big.bytes() - 4, 22);
        assertEquals(11, memory.read32(VA + 8));
        assertEquals(22, memory.read32(bigVa + big.bytes() - 4));
        memory.write(bigVa + 5, 1, 0x7f);
        assertEquals(0x7f00, gpu.word(large + 4));
    }

    @Test
    void givenPageInEitherTableOfSpan_whenAccessed_thenPageIsFound() {
        load();
        PageSize big = gpu.mmu.geometry().bigPage();
        long bigVa = VA & -gpu.mmu.geometry().spanBytes();
        tables.mapVram(bigVa + big.bytes(), 0x100_0000, TestGpu.PAGE_BYTES);
        tables.entry(big, bigVa, PageTableEntry.of(VRAM, 0x110_0000 & -big.bytes()));
        gpu.word(0x100_0000, 1);
        gpu.word(0x110_0000 & -big.bytes(), 2);
        assertEquals(1, memory.read32(bigVa + big.bytes()));
        assertEquals(2, memory.read32(bigVa));
    }

    @Test
    void givenEachKindOfMissingEntry_whenAccessed_thenReasonMatchesHardware() {
        load();
        long physical = gpu.allocate(4 * TestGpu.PAGE_BYTES);
        assertEquals(FaultReason.PAGE_TABLE_NOT_PRESENT, faultOf(() -> memory.read32(VA)).reason());

        tables.mapVram(VA, physical, TestGpu.PAGE_BYTES);
        long page = VA + TestGpu.PAGE_BYTES;
        MmuFault absent = faultOf(() -> memory.write(page + 12, 4, 0));
        assertEquals(FaultReason.PAGE_NOT_PRESENT, absent.reason());
        assertEquals(page + 12, absent.gpuVa());
        assertEquals(true, absent.isWrite());

        long entry = PageTableEntry.of(VRAM, physical);
        tables.entry(PageSize.SMALL_4K, page, PageTableEntry.readOnly(entry));
        assertEquals(0, memory.read32(page));
        assertEquals(FaultReason.PAGE_READ_ONLY, faultOf(() -> memory.write(page, 4, 1)).reason());

        long secret = VA + 2 * TestGpu.PAGE_BYTES;
        tables.entry(PageSize.SMALL_4K, secret, PageTableEntry.privileged(entry));
        assertEquals(FaultReason.PAGE_PRIVILEGED, faultOf(() -> memory.read32(secret)).reason());

        assertEquals(
                FaultReason.VM_LIMIT_EXCEEDED, faultOf(() -> memory.read32(1L << 40)).reason());
    }

    @Test
    void givenLimit_whenAccessedBeyond_thenReasonIsLimit() {
        tables.mapVram(VA, 0x100_0000, 2 * TestGpu.PAGE_BYTES);
        new InstanceBlock()
                .wrap(gpu.vram.memory(), tables.instance())
                .limit(VA + TestGpu.PAGE_BYTES - 1);
        load();
        assertEquals(0, memory.read32(VA + TestGpu.PAGE_BYTES - 4));
        assertEquals(
                FaultReason.VM_LIMIT_EXCEEDED,
                faultOf(() -> memory.read32(VA + TestGpu.PAGE_BYTES)).reason());
    }

    @Test
    void givenShortTable_whenAccessedBeyond_thenReasonIsTableSize() {
        load();
        long start = VA & -gpu.mmu.geometry().spanBytes();
        tables.mapVram(start, 0x100_0000, TestGpu.PAGE_BYTES);
        tables.directoryEntry(
                start, PageDirectoryEntry.withSizeShift(tables.directoryEntry(start), 3));
        assertEquals(0, memory.read32(start));
        long beyond = start + gpu.mmu.geometry().spanBytes() / 8;
        assertEquals(
                FaultReason.PAGE_TABLE_TOO_SHORT, faultOf(() -> memory.read32(beyond)).reason());
    }

    @Test
    void givenNoInstanceBlock_whenAccessed_thenReasonIsMissingChannel() {
        space.load(VRAM, TestGpu.VRAM_BYTES);
        assertEquals(FaultReason.NO_CHANNEL, faultOf(() -> memory.read32(VA)).reason());
        space.load(null, 0);
        assertEquals(FaultReason.NO_CHANNEL, faultOf(() -> memory.read32(VA)).reason());
    }

    @Test
    void givenPagesWithoutMemory_whenAccessed_thenReadsAreAllOnesAndWritesAreDropped() {
        load();
        tables.map(VA, VRAM, TestGpu.VRAM_BYTES, TestGpu.PAGE_BYTES);
        tables.map(VA + 0x1000, MemoryTarget.SYSTEM_COHERENT, 0x5000, TestGpu.PAGE_BYTES);
        tables.map(VA + 0x2000, MemoryTarget.PEER, 0, TestGpu.PAGE_BYTES);
        for (long page = VA; page < VA + 0x3000; page += TestGpu.PAGE_BYTES) {
            memory.write(page, 4, 1);
            assertEquals(-1, memory.read32(page));
            memory.copyRun(page, page + 64, 16);
        }
    }

    @Test
    void givenRandomTables_whenWalked_thenWalkEndsAndOnlyFaultsAreThrown() {
        long seed = 3;
        Random random = new Random(seed);
        load();
        for (int i = 0; i < 20_000; i++) {
            long va = random.nextLong() >>> 24;
            tables.directoryEntry(va, random.nextBoolean() ? random.nextLong() : -1L);
            gpu.mmu.invalidateTranslations();
            space.refresh();
            try {
                memory.read32(va & -4);
            } catch (MmuFault expected) {
                assertEquals(va & -4, expected.gpuVa(), "seed=" + seed);
            }
        }
    }

    @Test
    void givenDirectoryEntryWithAddressOfDirectory_whenWalked_thenDirectoryIsReadAsTable() {
        load();
        long entry =
                PageDirectoryEntry.withSmallTable(
                        PageDirectoryEntry.EMPTY, VRAM, tables.directory());
        tables.directoryEntry(0, entry);
        assertEquals(FaultReason.PAGE_NOT_PRESENT, faultOf(() -> memory.read32(0x1000)).reason());
        assertEquals(FaultReason.PAGE_NOT_PRESENT, faultOf(() -> memory.read32(0)).reason());
    }

    @Test
    void givenCachedPage_whenEntryChanges_thenOldEntryAppliesUntilFlush() {
        load();
        long first = gpu.allocate(TestGpu.PAGE_BYTES);
        long second = gpu.allocate(TestGpu.PAGE_BYTES);
        gpu.word(first, 1);
        gpu.word(second, 2);
        tables.mapVram(VA, first, TestGpu.PAGE_BYTES);
        assertEquals(1, memory.read32(VA));

        tables.mapVram(VA, second, TestGpu.PAGE_BYTES);
        assertEquals(1, memory.read32(VA));
        gpu.fifo.invalidateTlb(0, 1);
        space.refresh();
        assertEquals(2, memory.read32(VA));
    }

    @Test
    void givenMissingPage_whenMapped_thenNoFlushIsNeeded() {
        load();
        tables.mapVram(VA, 0x100_0000, TestGpu.PAGE_BYTES);
        faultOf(() -> memory.read32(VA + 0x1000));
        tables.mapVram(VA + 0x1000, 0x100_1000, TestGpu.PAGE_BYTES);
        assertEquals(0, memory.read32(VA + 0x1000));
    }

    @Test
    void givenDirectoryAndTablesInHostMemory_whenWalked_thenTablesAreRead() {
        long iova = 0x40_0000;
        gpu.mapHost(iova, 1 << 20);
        MemoryTarget host = MemoryTarget.SYSTEM_NONCOHERENT;
        long table = iova + 0x2_0000;
        new InstanceBlock().wrap(gpu.vram.memory(), tables.instance()).directory(host, iova);
        gpu.memory.write(
                host,
                iova,
                8,
                PageDirectoryEntry.withSmallTable(PageDirectoryEntry.EMPTY, host, table));
        gpu.memory.write(host, table + 8, 8, PageTableEntry.of(host, iova + 0x8_0000));
        gpu.memory.write(host, iova + 0x8_0010, 4, 1234);
        load();
        assertEquals(1234, memory.read32(0x1010));
    }
}
