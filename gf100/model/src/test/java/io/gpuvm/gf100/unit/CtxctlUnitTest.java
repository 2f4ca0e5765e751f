package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.reg.Ctxctl;
import io.gpuvm.gf100.reg.Falcon;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The conversation with the graphics falcons, step by step as nouveau holds it.
class CtxctlUnitTest {
    private static final int DONE = 0x8000_0000;
    private static final int INSTANCE = 0x8000_1234;

    private int trappedInstance;
    private final Board board = Board.of(512, List.of(4, 4, 3, 3), true, true);
    private final CtxctlUnit unit = new CtxctlUnit(board, () -> trappedInstance);
    private final RegisterBench bench = new RegisterBench(unit);

    @BeforeEach
    void start() {
        bench.write(Ctxctl.HUB.ucBlockOnFifo(), 0);
        bench.write(Ctxctl.HUB.ucCtrl(), 2);
    }

    @Test
    void givenAnUpload_whenTheHubStarts_thenItReportsDoneAndTheContextSize() {
        assertEquals(DONE, bench.read(Ctxctl.CC_SCRATCH, 0));
        assertEquals(CtxctlUnit.CONTEXT_BYTES, bench.read(Ctxctl.CC_SCRATCH, 1));
        assertEquals(0, bench.read(Ctxctl.CHAN_CUR));
    }

    @Test
    void givenTheBoard_whenUnitsAreCounted_thenGpcsAndRastersAreTold() {
        assertEquals(0x0004_0004, bench.read(Ctxctl.UNITS));
    }

    /// The driver follows two pointers through data memory, then appends lists there.
    @Test
    void givenDataMemory_whenWrittenAndReadThroughThePort_thenBothMoveOn() {
        bench.write(Ctxctl.HUB.dataIndex(), 0x0100_0000);
        bench.write(Ctxctl.HUB.data(), 0x300);
        bench.write(Ctxctl.HUB.data(), 0x304);

        bench.write(Ctxctl.HUB.dataIndex(), 0x0200_0000);
        assertEquals(0x300, bench.read(Ctxctl.HUB.data()));
        assertEquals(0x304, bench.read(Ctxctl.HUB.data()));
        assertEquals(0x0200_0008, bench.read(Ctxctl.HUB.dataIndex()));
    }

    @Test
    void givenAPositionWithoutIncrement_whenAccessed_thenItStays() {
        bench.write(Ctxctl.GPC.dataIndex(), 0x40);
        bench.write(Ctxctl.GPC.data(), 1);
        bench.write(Ctxctl.GPC.data(), 2);

        assertEquals(2, bench.read(Ctxctl.GPC.data()));
        assertEquals(0x40, bench.read(Ctxctl.GPC.dataIndex()));
    }

    @Test
    void givenAPositionBeyondDataMemory_whenAccessed_thenItIsIgnored() {
        int end = Ctxctl.DATA_PAGES * Falcon.PAGE_BYTES;
        bench.write(Ctxctl.GPC.dataIndex(), 0x0100_0000 | end - 4);
        bench.write(Ctxctl.GPC.data(), 1);
        bench.write(Ctxctl.GPC.data(), 2);

        assertEquals(0, bench.read(Ctxctl.GPC.data()));
        bench.write(Ctxctl.GPC.dataIndex(), end - 4);
        assertEquals(1, bench.read(Ctxctl.GPC.data()));
    }

    @Test
    void givenTheFirstContext_whenBoundAndSaved_thenEachStepIsAnswered() {
        bench.write(Ctxctl.CC_SCRATCH_CLEAR, DONE);
        assertEquals(0, bench.read(Ctxctl.CC_SCRATCH, 0));
        bench.write(Ctxctl.WRCMD_DATA, INSTANCE);
        bench.write(Ctxctl.WRCMD_CMD, 1);
        assertEquals(DONE, bench.read(Ctxctl.CC_SCRATCH, 0));
        assertEquals(INSTANCE, bench.read(Ctxctl.CHAN_CUR));

        bench.write(Ctxctl.CHAN_NEXT, bench.read(Ctxctl.CHAN_NEXT) & ~DONE);
        bench.write(Ctxctl.HUB.intrTrigger(), 0x100);

        assertEquals(0, bench.read(Ctxctl.CHAN_CUR) & DONE);
    }

    @Test
    void givenAMethodThatWasRefused_whenTheChannelIsRead_thenItIsTheRefusedOnes() {
        trappedInstance = 0x77;

        assertEquals(0x8000_0077, bench.read(Ctxctl.CHAN_CUR));
    }

    @Test
    void givenSetAndClear_whenWritten_thenTheyChangeBitsOfTheFirstScratch() {
        bench.write(Ctxctl.CC_SCRATCH_CLEAR, -1);
        bench.write(Ctxctl.CC_SCRATCH_SET, 0x30);
        bench.write(Ctxctl.CC_SCRATCH_CLEAR, 0x10);

        assertEquals(0x20, bench.read(Ctxctl.CC_SCRATCH, 0));
    }

    @Test
    void givenAnUnknownCommand_whenWritten_thenNothingIsAnswered() {
        bench.write(Ctxctl.CC_SCRATCH_CLEAR, -1);

        bench.write(Ctxctl.WRCMD_CMD, 0x77);

        assertEquals(0, bench.read(Ctxctl.CC_SCRATCH, 0));
    }

    @Test
    void givenPgraphSwitchedOff_whenRead_thenTheProgramIsGone() {
        unit.stop();

        assertEquals(0, bench.read(Ctxctl.CC_SCRATCH, 0));
    }
}
