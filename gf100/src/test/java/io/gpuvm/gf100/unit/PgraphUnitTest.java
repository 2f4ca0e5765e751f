package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.reg.Pgraph;
import io.gpuvm.gf100.reg.PgraphState;
import io.gpuvm.gf100.reg.RegisterRange;
import java.util.List;
import org.junit.jupiter.api.Test;

class PgraphUnitTest {
    private final RecordedErrors errors = new RecordedErrors();
    private final RegisterBench bench =
            new RegisterBench(
                    new PgraphUnit(Board.of(512, List.of(4, 4, 3, 3), true, true), errors));

    @Test
    void givenGraphics_whenPolledForIdle_thenItIs() {
        bench.write(Pgraph.DISPATCH_UNK170, 0x12);

        assertEquals(0, bench.read(Pgraph.STATUS));
        assertEquals(0, bench.read(Pgraph.FE_STATUS));
        assertEquals(0, bench.read(Pgraph.DISPATCH_UNK170) & 0x10);
    }

    @Test
    void givenTheShape_whenGpcsAreAsked_thenEachTellsItsTpcs() {
        assertEquals(4, bench.read(PgraphState.gpcUnits(), 0));
        assertEquals(3, bench.read(PgraphState.gpcUnits(), 3));
    }

    @Test
    void givenPipelineState_whenWritten_thenItIsStored() {
        for (RegisterRange range : PgraphState.tpc(2, 2)) {
            bench.write(range.first(), 0x55);
            assertEquals(0x55, bench.read(range.first()), range.name());
        }

        assertEquals(List.of(), bench.undeclared.snapshot());
    }

    @Test
    void givenATpcThatIsFusedOff_whenWritten_thenItIsUndeclared() {
        int offset = PgraphState.tpc(3, 3).getFirst().first();

        bench.write(offset, 1);

        assertEquals(0, bench.read(offset));
        assertEquals(
                "PGRAPH.GPC[3].TPC[3].POLY+0x0", bench.undeclared.snapshot().getFirst().name());
    }

    @Test
    void givenARefusedMethod_whenServed_thenTheDriverFindsItAndAcknowledges() {
        bench.write(Pgraph.INTR_EN, -1);
        assertEquals(-1, errors.enabled);

        assertEquals(0x10, bench.read(Pgraph.INTR));
        int place = bench.read(Pgraph.TRAPPED_ADDR);
        assertEquals(2, place >>> 16 & 7);
        assertEquals(0x31c, place & 0x3ffc);
        assertEquals(0xabcd, bench.read(Pgraph.TRAPPED_DATA));
        assertEquals(0x9039, bench.read(Pgraph.CTX_CACHE, 2) & 0xffff);
        bench.write(Pgraph.INTR, 0x10);

        assertEquals(0, bench.read(Pgraph.INTR));
    }

    private static final class RecordedErrors implements PgraphUnit.Errors {
        int pending = 0x10;
        int enabled;

        @Override
        public int interrupts() {
            return pending;
        }

        @Override
        public void acknowledge(int bits) {
            pending &= ~bits;
        }

        @Override
        public void enable(int bits) {
            enabled = bits;
        }

        @Override
        public int address() {
            return 0x0002_031c;
        }

        @Override
        public int data() {
            return 0xabcd;
        }

        @Override
        public int code() {
            return 0;
        }

        @Override
        public int classOn(int subchannel) {
            return subchannel == 2 ? 0x9039 : 0;
        }
    }
}
