package io.gpuvm.tests.conformance;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.linux.MappedMemory;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Tests of ranges of BARs that other processes may map. Such a mapping must show the same memory
/// as all other views.
@GpuTest
@WholeGpuOnly("a guest exports no ranges; its VMM maps windows")
final class ExportTest {
    private static final long PAGE = Bench.PAGE_BYTES;
    private static final long HERE = Bench.VRAM_DATA;

    private final Bench bench;
    private final WatchedGpu gpu;

    ExportTest(Bench bench) {
        this.bench = bench;
        gpu = bench.gpu;
        bench.write(Pbus.PMEM, (int) Pbus.PMEM_VRAM.ofBytes(HERE));
    }

    private MemorySegment map(Bar bar, long offset, long bytes) {
        Optional<Exported> exported = gpu.export(bar, offset, bytes);
        assumeTrue(exported.isPresent(), bar + " of this GPU is not exported");
        Exported range = exported.get();
        assertEquals(bytes, range.bytes());
        MappedMemory mapping =
                MappedMemory.map(
                        range.descriptor(), range.offset(), bytes, MappedMemory.Access.READ_WRITE);
        return bench.keep(mapping).segment();
    }

    @Test
    void givenExportedRange_whenOtherRangeOfBarIsRequested_thenOtherRangeIsExported() {
        for (Bar bar : new Bar[] {Bar.BAR0, Bar.BAR1, Bar.BAR3}) {
            long bytes = gpu.identity().bytesOf(bar);
            boolean first = gpu.export(bar, 0, PAGE).isPresent();

            assertEquals(first, gpu.export(bar, bytes - PAGE, PAGE).isPresent());
            assertEquals(first, gpu.export(bar, 0, bytes).isPresent());
        }
    }

    @Test
    void givenRegisters_whenMapped_thenMappingAccessesRegisters() {
        MemorySegment registers = map(Bar.BAR0, 0, PAGE);

        assertEquals(bench.read(Pmc.BOOT_0), registers.get(JAVA_INT, Pmc.BOOT_0.offset()));
        bench.write(Pmc.INTR_MASK_HOST, 4711);
        assertEquals(4711, registers.get(JAVA_INT, Pmc.INTR_MASK_HOST.offset()));
        registers.set(JAVA_INT, Pmc.INTR_MASK_HOST.offset(), 4712);
        assertEquals(4712, bench.read(Pmc.INTR_MASK_HOST));
    }

    @Test
    void givenPramin_whenMapped_thenWindowsShowSameMemory() {
        MemorySegment pramin = map(Bar.BAR0, Pramin.WINDOW.first(), PAGE);
        VramWindow window = bench.keep(gpu.openWindow(PAGE));
        window.point(HERE);

        pramin.set(JAVA_INT, 16, 11);
        assertEquals(11, window.memory().get(JAVA_INT, 16));
        window.memory().set(JAVA_INT, 20, 22);
        assertEquals(22, pramin.get(JAVA_INT, 20));
    }

    @Test
    void givenSlices_whenMapped_thenAllViewsShowSameMemory() {
        for (Bar bar : new Bar[] {Bar.BAR1, Bar.BAR3}) {
            BarSlice slice = bench.keep(gpu.openSlice(bar, 2 * PAGE));
            slice.set(0, PageTableEntry.of(MemoryTarget.VRAM, HERE + PAGE));
            slice.set(1, PageTableEntry.of(MemoryTarget.VRAM, HERE));
            slice.flush();
            MemorySegment mapped = map(bar, slice.offset(), slice.bytes());

            mapped.set(JAVA_INT, PAGE + 8, 33);
            assertEquals(33, bench.readBar(bar, slice.offset() + PAGE + 8));
            assertEquals(33, gpu.read(Bar.BAR0, Pramin.WINDOW.first() + 8, Integer.BYTES));
            gpu.write(bar, slice.offset() + 12, Integer.BYTES, 44);
            assertEquals(44, mapped.get(JAVA_INT, 12));
            slice.set(0, PageTableEntry.of(MemoryTarget.VRAM, HERE));
            slice.flush();
            assertEquals(33, mapped.get(JAVA_INT, 8));
        }
    }

    @Test
    void givenMappedSlice_whenGpuIsReset_thenMappingShowsSlice() {
        long page = bench.allocate(PAGE);
        BarSlice slice = bench.keep(gpu.openSlice(Bar.BAR1, PAGE));
        slice.set(0, PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, bench.hostIova(page)));
        slice.flush();
        MemorySegment mapped = map(Bar.BAR1, slice.offset(), PAGE);

        gpu.reset();

        bench.host().word(page, 55);
        assertEquals(55, mapped.get(JAVA_INT, 0));
    }
}
