package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Pgraph;
import io.gpuvm.gf100.reg.PgraphState;
import io.gpuvm.gf100.reg.PgraphTraps;
import io.gpuvm.gf100.reg.RegisterArray;

/// PGRAPH's registers: a pipeline that is never busy, stores its initial state without effect, and
/// reports methods that the engines refuse and multiprocessors that trap.
///
/// Behaviour: nouveau `nvkm/engine/gr/gf100.c`, `ctxgf100.c`.
public final class PgraphUnit implements Unit {
    private final Board board;
    private final GraphTrap trap;

    /// @param trap reports of refused methods; reset with this unit
    public PgraphUnit(Board board, GraphTrap trap) {
        this.board = board;
        this.trap = trap;
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        declareInterrupts(table);
        declarePorts(table);
        PgraphState.hub().forEach(table::storage);
        PgraphState.spreads().forEach(table::latch);
        PgraphState.broadcast().forEach(table::storage);
        for (int partition = 0; partition < board.partitions(); partition++) {
            PgraphState.rop(partition).forEach(table::storage);
        }
        for (int gpc = 0; gpc < board.gpcs(); gpc++) {
            declareGpc(table, gpc);
        }
    }

    @Override
    public void reset() {
        trap.reset();
    }

    private void declareInterrupts(RegisterTable.Builder table) {
        MpTrap mp = trap.mp();
        table.on(Pgraph.INTR, trap::interrupts, trap::acknowledge)
                .on(Pgraph.INTR_EN, trap::enabled, trap::enable)
                .onRead(Pgraph.DATA_ERROR, trap::code)
                .onRead(Pgraph.TRAPPED_ADDR, trap::address)
                .onRead(Pgraph.TRAPPED_DATA, trap::data)
                .array(Pgraph.CTX_CACHE, trap::classOn, null)
                .latch(Pgraph.INTR_EN_NRHOST)
                // Only multiprocessors trap; errors of other units are reported as refused methods.
                .on(Pgraph.TRAP, mp::units, mp::acknowledgeUnits)
                .on(Pgraph.TRAP_GPCS, mp::gpcs, mp::acknowledgeGpcs)
                .constant(Pgraph.TRAP_ROPS, 0)
                .latch(Pgraph.TRAP_EN)
                .latch(Pgraph.TRAP_GPCS_EN)
                .latch(Pgraph.TRAP_ROPS_EN)
                .storage(Pgraph.INTR_CTXCTL_DOWN);
    }

    private void declarePorts(RegisterTable.Builder table) {
        int notBusy = ~Pgraph.DISPATCH_UNK170_BUSY.mask();
        table.latch(Pgraph.UNK054)
                .storage(Pgraph.UNK080)
                .latch(Pgraph.ICMD_CMD)
                .latch(Pgraph.ICMD_DATA)
                .latch(Pgraph.ICMD_MODE)
                .latch(Pgraph.FIFO_CONTROL)
                .constant(Pgraph.FE_STATUS, 0)
                .constant(Pgraph.STATUS, 0)
                .latchMasked(Pgraph.DISPATCH_UNK170, 0, notBusy)
                .latch(Pgraph.MACRO_MCACHE_CTRL)
                .latch(Pgraph.MACRO_MCACHE_DATA);
    }

    private void declareGpc(RegisterTable.Builder table, int gpc) {
        RegisterArray units = PgraphState.gpcUnits();
        int tpcs = board.tpcsPerGpc().get(gpc);
        table.constant(units.element(gpc), tpcs);
        PgraphState.gpc(gpc).forEach(table::storage);
        MpTrap mp = trap.mp();
        table.on(PgraphTraps.gpc(gpc), () -> mp.tpcs(gpc), bits -> mp.acknowledgeTpcs(gpc, bits));
        for (int tpc = 0; tpc < tpcs; tpc++) {
            PgraphState.tpc(gpc, tpc).forEach(table::storage);
            declareMp(table, gpc, tpc);
        }
    }

    private void declareMp(RegisterTable.Builder table, int gpc, int tpc) {
        MpTrap mp = trap.mp();
        table.onRead(PgraphTraps.tpc(gpc, tpc), () -> mp.tpcUnits(gpc, tpc))
                .on(
                        PgraphTraps.warpError(gpc, tpc),
                        () -> mp.warpError(gpc, tpc),
                        word -> mp.setWarpError(gpc, tpc, word))
                .on(
                        PgraphTraps.globalError(gpc, tpc),
                        () -> mp.globalError(gpc, tpc),
                        bits -> mp.acknowledgeGlobalError(gpc, tpc, bits));
    }
}
