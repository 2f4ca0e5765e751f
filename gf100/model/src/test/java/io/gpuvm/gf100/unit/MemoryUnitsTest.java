package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.reg.Pbfb;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.reg.PfifoFlush;
import io.gpuvm.gf100.reg.Pmfb;
import io.gpuvm.gf100.reg.Ppci;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Prom;
import io.gpuvm.gf100.reg.Punits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Units between BAR0 and memory: windows, sizes, flushes.
class MemoryUnitsTest {
    private final ArrayMemory memory = new ArrayMemory();
    private final List<String> events = new ArrayList<>();
    private final Board board = Board.of(6144, List.of(4, 4, 3, 3), true, true);
    private final byte[] rom = new byte[0x1000];
    private boolean flushedAtOnce = true;
    private final PffbUnit pffb = new PffbUnit(board, new RecordedTranslations());
    private final PpciUnit ppci = new PpciUnit(() -> events.add("rearm"));
    private final RegisterBench bench =
            new RegisterBench(
                    new PbusUnit(
                            value -> events.add("bar1=%x".formatted(value)),
                            value -> events.add("bar3=%x".formatted(value))),
                    new PraminUnit(memory, _ -> {}),
                    ppci,
                    new PromUnit(rom(), ppci::romVisible),
                    pffb,
                    new PmfbUnit(board),
                    new BoardUnit(board));

    @Test
    void givenPraminWindow_whenMoved_thenWindowShowsMemoryAtNewPosition() {
        memory.word(0x30010, 0x1234_5678);
        bench.write(Pbus.PMEM, 0x3);

        assertEquals(0x1234_5678, bench.read(Pramin.WINDOW.first() + 0x10));
        bench.write(Pramin.WINDOW.first() + 0x14, 5);
        assertEquals(5, memory.word(0x30014));
        assertEquals(3, bench.read(Pbus.PMEM));
    }

    @Test
    void givenPraminWindowBeyondVram_whenRead_thenValueIsAllOnes() {
        bench.write(Pbus.PMEM, 0xffffff);

        assertEquals(-1, bench.read(Pramin.WINDOW.first()));
        bench.write(Pramin.WINDOW.first(), 1);
    }

    @Test
    void givenProm_whenHidden_thenReadsReturnZeroUntilShownAgain() {
        assertEquals(0xaa55, bench.read(Prom.WINDOW.first(), 2));
        bench.write(Ppci.ROM_SHADOW_ENABLE, 1);
        assertEquals(0, bench.read(Prom.WINDOW.first()));
        bench.write(Ppci.ROM_SHADOW_ENABLE, 0);
        bench.write(Prom.WINDOW.first(), 7);
        assertEquals(0xaa55, bench.read(Prom.WINDOW.first()));
    }

    @Test
    void givenRearmRegister_whenOneByteIsWritten_thenMsiIsRearmed() {
        bench.writeByte(Ppci.CYA_2.offset(), 0xff);

        assertEquals(List.of("rearm"), events);
    }

    @Test
    void givenBarControls_whenWritten_thenValuesArePassedOnAndReadBack() {
        bench.write(Pbus.BAR1, 0x8000_0123);
        bench.write(Pbus.BAR3, 0x8000_0456);
        assertEquals(0x8000_0123, bench.read(Pbus.BAR1));

        bench.reset();

        assertEquals(
                List.of("bar1=80000123", "bar3=80000456", "bar1=0", "bar3=0", "big64=false"),
                events);
    }

    @Test
    void givenFlush_whenTriggered_thenBothWordsArePassedOnAndFlushCompletes() {
        bench.write(Pffb.VM_TLB_FLUSH_VSPACE, 0xfe40);
        bench.write(Pffb.VM_TLB_FLUSH_TRIGGER, 0x8000_0005);

        assertEquals(List.of("flush fe40 80000005"), events);
        assertEquals(0, bench.read(Pffb.VM_TLB_FLUSH_TRIGGER) & 0x8000_0000);
        assertEquals(0x00ff_8000, bench.read(Pffb.VM_CFG));
    }

    @Test
    void givenPendingFlushes_whenCompletedInOrder_thenStatusIsPendingUntilLastCompletion() {
        flushedAtOnce = false;
        bench.write(Pffb.VM_TLB_FLUSH_TRIGGER, 1);
        assertEquals(0x00fe_0000, bench.read(Pffb.VM_CFG));
        bench.write(Pffb.VM_TLB_FLUSH_TRIGGER, 1);
        assertEquals(0x00fd_0000, bench.read(Pffb.VM_CFG));

        pffb.onFlushed();
        assertEquals(0x00fe_0000, bench.read(Pffb.VM_CFG));
        pffb.onFlushed();
        assertEquals(0x00ff_8000, bench.read(Pffb.VM_CFG));
    }

    @Test
    void givenPendingFlush_whenNextFlushCompletesImmediately_thenFirstFlushRemainsPending() {
        flushedAtOnce = false;
        bench.write(Pffb.VM_TLB_FLUSH_TRIGGER, 1);
        flushedAtOnce = true;
        bench.write(Pffb.VM_TLB_FLUSH_TRIGGER, 1);

        assertEquals(0x00fe_0000, bench.read(Pffb.VM_CFG));
        pffb.onFlushed();
        assertEquals(0x00ff_8000, bench.read(Pffb.VM_CFG));
    }

    @Test
    void givenNoPolling_whenFlushesExceedQueue_thenFlushesAreStillPassedOn() {
        flushedAtOnce = false;
        for (int i = 0; i < 300; i++) {
            bench.write(Pffb.VM_TLB_FLUSH_TRIGGER, 1);
        }

        assertEquals(300, events.size());
        assertEquals(0, bench.read(Pffb.VM_CFG));
        for (int i = 0; i < 46; i++) {
            pffb.onFlushed();
        }
        assertEquals(0x0001_0000, bench.read(Pffb.VM_CFG));
    }

    @Test
    void givenPendingFlush_whenGpuIsReset_thenNextFlushWaitsForOneReply() {
        flushedAtOnce = false;
        bench.write(Pffb.VM_TLB_FLUSH_TRIGGER, 1);

        bench.reset();

        assertEquals(0x00ff_8000, bench.read(Pffb.VM_CFG));
        bench.write(Pffb.VM_TLB_FLUSH_TRIGGER, 1);
        assertEquals(0x00fe_0000, bench.read(Pffb.VM_CFG));
        pffb.onFlushed();
        assertEquals(0x00ff_8000, bench.read(Pffb.VM_CFG));
    }

    @Test
    void givenBigPageBit_whenSet_thenMmuReceivesBitAndBitReadsBack() {
        bench.write(Pffb.VM_CFG, 1);

        assertEquals(List.of("big64=true"), events);
        assertEquals(0x00ff_8001, bench.read(Pffb.VM_CFG));
    }

    @Test
    void givenHostFlushes_whenPolled_thenFlushesAreComplete() {
        bench.write(PfifoFlush.FLUSH_CTRL, 1);

        assertEquals(0, bench.read(PfifoFlush.FLUSH_CTRL));
    }

    /// nouveau adds up the sizes of the controllers that are not disabled.
    @Test
    void givenBoard_whenVramIsProbed_thenControllersAddUpToVramSize() {
        int partitions = bench.read(Punits.DESIGN_PART_COUNT);
        int disabled = bench.read(Punits.HW_MC_DISABLE_MASK);
        int mib = 0;
        for (int i = 0; i < partitions; i++) {
            if ((disabled & 1 << i) == 0) {
                mib += bench.read(Pbfb.MEM_AMOUNT, i);
            }
        }

        assertEquals(6144, mib);
        assertEquals(6, partitions);
        assertEquals(2, bench.read(Pmfb.CBC_PARAM) >>> 28);
        assertEquals(List.of(), bench.undeclared.snapshot());
    }

    private byte[] rom() {
        rom[0] = 0x55;
        rom[1] = (byte) 0xaa;
        return rom;
    }

    private final class RecordedTranslations implements PffbUnit.Translations {
        @Override
        public void bigPagesOf64KiB(boolean chosen) {
            events.add("big64=" + chosen);
        }

        @Override
        public boolean flush(int vspace, int trigger) {
            events.add("flush %x %x".formatted(vspace, trigger));
            return flushedAtOnce;
        }
    }
}
