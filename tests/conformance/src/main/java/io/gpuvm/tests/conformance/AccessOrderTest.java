package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Ptimer;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/// Tests that accesses take effect in program order.
@GpuTest
final class AccessOrderTest {
    private static final int WORD = Integer.BYTES;
    private static final int ROUNDS = 1000;

    /// Alignment of the addresses at which PRAMIN can begin.
    private static final int PRAMIN_STEP = 1 << Pbus.PMEM_VRAM.scale();

    private final Bench bench;
    private final WatchedGpu gpu;

    AccessOrderTest(Bench bench) {
        this.bench = bench;
        this.gpu = bench.gpu;
    }

    @Test
    void givenRegister_whenWrittenAndRead_thenRegisterHoldsWrittenValue() {
        for (int i = 0; i < ROUNDS; i++) {
            bench.write(Pffb.SYSRAM_ADDR, i);
            assertEquals(i, bench.read(Pffb.SYSRAM_ADDR));
        }
    }

    @Test
    void givenPraminBase_whenMovedBetweenAccesses_thenEachAccessUsesCurrentBase() {
        int[] expected = new int[2];
        for (int i = 0; i < ROUNDS / 4; i++) {
            int place = i % 2;
            pointPramin(Bench.VRAM_DATA + place * PRAMIN_STEP);
            gpu.write(Bar.BAR0, Pramin.WINDOW.first(), WORD, i);
            expected[place] = i;
            pointPramin(Bench.VRAM_DATA);
            for (int shown = 0; shown <= Math.min(i, 1); shown++) {
                long offset = Pramin.WINDOW.first() + (long) shown * PRAMIN_STEP;
                assertEquals(expected[shown], gpu.read(Bar.BAR0, offset, WORD));
            }
        }
    }

    @Test
    void givenBar1AndPramin_whenEitherViewIsWritten_thenOtherViewShowsWriteImmediately() {
        BarSlice slice = bench.keep(gpu.openSlice(Bar.BAR1, Bench.PAGE_BYTES));
        slice.set(0, PageTableEntry.of(MemoryTarget.VRAM, Bench.VRAM_DATA));
        slice.flush();
        pointPramin(Bench.VRAM_DATA);

        for (int i = 0; i < ROUNDS; i++) {
            gpu.write(Bar.BAR1, slice.offset() + 8, WORD, i);
            assertEquals(i, gpu.read(Bar.BAR0, Pramin.WINDOW.first() + 8, WORD));
            gpu.write(Bar.BAR0, Pramin.WINDOW.first() + 12, WORD, ~i);
            assertEquals(~i, bench.readBar(Bar.BAR1, slice.offset() + 12));
        }
    }

    @Test
    @WholeGpuOnly("a guest reaches VRAM through its BARs")
    void givenWindow_whenMemoryIsWritten_thenPraminShowsWrite() {
        VramWindow window = bench.keep(gpu.openWindow(Bench.PAGE_BYTES));
        window.point(Bench.VRAM_DATA);
        pointPramin(Bench.VRAM_DATA);

        for (int i = 0; i < ROUNDS / 4; i++) {
            window.memory().set(ValueLayout.JAVA_INT, 8, i);
            assertEquals(i, gpu.read(Bar.BAR0, Pramin.WINDOW.first() + 8, WORD));
        }
    }

    @Test
    void givenClock_whenReadRepeatedly_thenTimeAdvancesMonotonically() {
        long first = time();
        long last = first;
        for (int i = 0; i < ROUNDS; i++) {
            long now = time();
            assertTrue(now - last >= 0, "now=%d last=%d".formatted(now, last));
            last = now;
        }
        assertTrue(last > first);
        assertEquals(0, last & (1L << Ptimer.TIME_LOW_NS.low()) - 1);
    }

    /// Reads the clock from two registers, as drivers do.
    private long time() {
        int high = bench.read(Ptimer.TIME_HIGH);
        while (true) {
            int low = bench.read(Ptimer.TIME_LOW);
            int again = bench.read(Ptimer.TIME_HIGH);
            if (again == high) {
                return (long) high << Integer.SIZE | Integer.toUnsignedLong(low);
            }
            high = again;
        }
    }

    private void pointPramin(long vramOffset) {
        bench.write(Pbus.PMEM, (int) Pbus.PMEM_VRAM.ofBytes(vramOffset));
    }
}
