package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.reg.Ctxctl;
import io.gpuvm.gf100.reg.Falcon;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Protocol of the graphics falcons, step by step as nouveau executes it.
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
    void givenStartedHub_whenScratchRegistersAreRead_thenDoneAndContextSizeAreReported() {
        assertEquals(DONE, bench.read(Ctxctl.CC_SCRATCH, 0));
        assertEquals(CtxctlUnit.CONTEXT_BYTES, bench.read(Ctxctl.CC_SCRATCH, 1));
        assertEquals(0, bench.read(Ctxctl.CHAN_CUR));
    }

    @Test
    void givenBoard_whenUnitsAreRead_thenNumbersOfGpcsAndPartitionsAreReported() {
        assertEquals(0x0004_0004, bench.read(Ctxctl.UNITS));
    }

    /// The driver follows two pointers through data memory, then appends lists to data memory.
    @Test
    void givenDataMemory_whenWrittenAndReadThroughPort_thenPositionAdvancesAfterEachAccess() {
        bench.write(Ctxctl.HUB.dataIndex(), 0x0100_0000);
        bench.write(Ctxctl.HUB.data(), 0x300);
        bench.write(Ctxctl.HUB.data(), 0x304);

        bench.write(Ctxctl.HUB.dataIndex(), 0x0200_0000);
        assertEquals(0x300, bench.read(Ctxctl.HUB.data()));
        assertEquals(0x304, bench.read(Ctxctl.HUB.data()));
        assertEquals(0x0200_0008, bench.read(Ctxctl.HUB.dataIndex()));
    }

    @Test
    void givenPositionWithoutIncrement_whenPortIsAccessed_thenPositionIsUnchanged() {
        bench.write(Ctxctl.GPC.dataIndex(), 0x40);
        bench.write(Ctxctl.GPC.data(), 1);
        bench.write(Ctxctl.GPC.data(), 2);

        assertEquals(2, bench.read(Ctxctl.GPC.data()));
        assertEquals(0x40, bench.read(Ctxctl.GPC.dataIndex()));
    }

    @Test
    void givenPositionBeyondDataMemory_whenPortIsAccessed_thenAccessIsIgnored() {
        int end = Ctxctl.DATA_PAGES * Falcon.PAGE_BYTES;
        bench.write(Ctxctl.GPC.dataIndex(), 0x0100_0000 | end - 4);
        bench.write(Ctxctl.GPC.data(), 1);
        bench.write(Ctxctl.GPC.data(), 2);

        assertEquals(0, bench.read(Ctxctl.GPC.data()));
        bench.write(Ctxctl.GPC.dataIndex(), end - 4);
        assertEquals(1, bench.read(Ctxctl.GPC.data()));
    }

    @Test
    void givenFirstContext_whenBoundAndSwitchedOut_thenCurrentChannelChanges() {
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
    void givenRefusedMethod_whenCurrentChannelIsRead_thenChannelOfMethodIsReported() {
        trappedInstance = 0x77;

        assertEquals(0x8000_0077, bench.read(Ctxctl.CHAN_CUR));
    }

    @Test
    void givenScratchRegister_whenBitsAreSetAndCleared_thenSelectedBitsChange() {
        bench.write(Ctxctl.CC_SCRATCH_CLEAR, -1);
        bench.write(Ctxctl.CC_SCRATCH_SET, 0x30);
        bench.write(Ctxctl.CC_SCRATCH_CLEAR, 0x10);

        assertEquals(0x20, bench.read(Ctxctl.CC_SCRATCH, 0));
    }

    @Test
    void givenUnknownCommand_whenWritten_thenNoReplyFollows() {
        bench.write(Ctxctl.CC_SCRATCH_CLEAR, -1);

        bench.write(Ctxctl.WRCMD_CMD, 0x77);

        assertEquals(0, bench.read(Ctxctl.CC_SCRATCH, 0));
    }

    @Test
    void givenStoppedUnit_whenRead_thenScratchRegisterIsZero() {
        unit.stop();

        assertEquals(0, bench.read(Ctxctl.CC_SCRATCH, 0));
    }
}
