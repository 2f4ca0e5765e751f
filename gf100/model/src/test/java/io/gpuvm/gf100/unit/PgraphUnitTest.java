package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.reg.Pgraph;
import io.gpuvm.gf100.reg.PgraphState;
import io.gpuvm.gf100.reg.PgraphTraps;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterRange;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PgraphUnitTest {
    private boolean interrupted;
    private final GraphTrap trap = new GraphTrap(level -> interrupted = level);
    private final RegisterBench bench =
            new RegisterBench(new PgraphUnit(Board.of(512, List.of(4, 4, 3, 3), true, true), trap));

    @Test
    void givenPgraph_whenStatusIsPolled_thenUnitIsIdle() {
        bench.write(Pgraph.DISPATCH_UNK170, 0x12);

        assertEquals(0, bench.read(Pgraph.STATUS));
        assertEquals(0, bench.read(Pgraph.FE_STATUS));
        assertEquals(0, bench.read(Pgraph.DISPATCH_UNK170) & 0x10);
    }

    @Test
    void givenBoard_whenGpcRegistersAreRead_thenNumbersOfTpcsAreReported() {
        assertEquals(4, bench.read(PgraphState.gpcUnits(), 0));
        assertEquals(3, bench.read(PgraphState.gpcUnits(), 3));
    }

    @Test
    void givenPipelineState_whenWritten_thenValueIsStored() {
        for (RegisterRange range : PgraphState.tpc(2, 2)) {
            int last = range.end() - Register.BYTES;
            bench.write(last, 0x55);
            assertEquals(0x55, bench.read(last), range.name());
        }

        assertEquals(List.of(), bench.undeclared.snapshot());
    }

    @Test
    void givenFusedOffTpc_whenWritten_thenAccessIsUndeclared() {
        int offset = PgraphState.tpc(3, 3).getFirst().first();

        bench.write(offset, 1);

        assertEquals(0, bench.read(offset));
        assertEquals(
                "PGRAPH.GPC[3].TPC[3].POLY+0x0", bench.undeclared.snapshot().getFirst().name());
    }

    @Test
    void givenRefusedMethod_whenHandled_thenDriverReadsMethodAndChannelMayContinue() {
        List<Integer> released = new ArrayList<>();
        trap.onRelease(released::add);
        trap.describe(2, 0x9039, 0x31c, 0xabcd);
        trap.raise(GraphError.INTR_ILLEGAL_METHOD.mask(), 0, 0x55_6000);
        assertFalse(interrupted);
        bench.write(Pgraph.INTR_EN, -1);

        assertTrue(interrupted);
        assertEquals(0x10, bench.read(Pgraph.INTR));
        int place = bench.read(Pgraph.TRAPPED_ADDR);
        assertEquals(2, place >>> 16 & 7);
        assertEquals(0x31c, place & 0x3ffc);
        assertEquals(0xabcd, bench.read(Pgraph.TRAPPED_DATA));
        assertEquals(0x9039, bench.read(Pgraph.CTX_CACHE, 2) & 0xffff);
        assertEquals(0x556, trap.trappedInstance());
        bench.write(Pgraph.INTR, 0x11);

        assertEquals(0, bench.read(Pgraph.INTR));
        assertEquals(0, trap.trappedInstance());
        assertFalse(interrupted);
        assertEquals(List.of(0x10), released);
        bench.write(Pgraph.INTR, -1);
        assertEquals(List.of(0x10), released, "nothing was pending");
    }

    @Test
    void givenTrappedMultiprocessor_whenDriverHandlesTrap_thenEveryLevelIsFoundAndCleared() {
        trap.describe(1, 0x90c0, 0x368, 0x1000);
        trap.describeMp(2, 1, 0x2_0009, 4);
        trap.raise(GraphError.INTR_TRAP.mask(), 0, 0x55_6000);
        bench.write(Pgraph.INTR_EN, -1);
        assertTrue(interrupted);

        assertEquals(0x20_0000, bench.read(Pgraph.INTR));
        assertEquals(0x100_0000, bench.read(Pgraph.TRAP));
        assertEquals(1 << 2, bench.read(Pgraph.TRAP_GPCS));
        assertEquals(0, bench.read(PgraphTraps.gpc(1)));
        assertEquals(0x2_0000, bench.read(PgraphTraps.gpc(2)));
        assertEquals(0, bench.read(PgraphTraps.tpc(2, 0)));
        assertEquals(2, bench.read(PgraphTraps.tpc(2, 1)));
        assertEquals(0x2_0009, bench.read(PgraphTraps.warpError(2, 1)));
        assertEquals(4, bench.read(PgraphTraps.globalError(2, 1)));

        bench.write(PgraphTraps.warpError(2, 1), 0);
        bench.write(PgraphTraps.globalError(2, 1), 4);
        assertEquals(0, bench.read(PgraphTraps.tpc(2, 1)));
        bench.write(PgraphTraps.gpc(2), 0x2_0000);
        assertEquals(0, bench.read(PgraphTraps.gpc(2)));
        bench.write(Pgraph.TRAP_GPCS, 1 << 2);
        assertEquals(0, bench.read(Pgraph.TRAP_GPCS));
        bench.write(Pgraph.TRAP, 0x100_0000);
        assertEquals(0, bench.read(Pgraph.TRAP));
        assertTrue(interrupted);
        bench.write(Pgraph.INTR, 0x20_0000);
        assertFalse(interrupted);
        assertTrue(trap.isReleased());
    }

    @Test
    void givenRefusedMethod_whenGpuIsReset_thenReportIsDroppedAndListenerIsNotCalled() {
        trap.onRelease(_ -> fail("no channel may continue"));
        trap.describe(2, 0x9039, 0x31c, 0xabcd);
        trap.raise(GraphError.INTR_DATA_ERROR.mask(), GraphError.CODE_INVALID_VALUE, 0x55_6000);
        bench.write(Pgraph.INTR_EN, -1);

        bench.reset();

        assertFalse(interrupted);
        assertTrue(trap.isReleased());
        assertEquals(0, bench.read(Pgraph.INTR));
        assertEquals(0, bench.read(Pgraph.INTR_EN));
        assertEquals(0, bench.read(Pgraph.DATA_ERROR));
        assertEquals(0, bench.read(Pgraph.CTX_CACHE, 2));
    }
}
