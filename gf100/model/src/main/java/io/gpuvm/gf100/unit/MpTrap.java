package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Pgraph;
import io.gpuvm.gf100.reg.PgraphTraps;

/// PGRAPH's report on the multiprocessor whose warp failed, level by level: 400108, 400118, a GPC's
/// 2c90, a TPC's 508, 648 and 650.
///
/// There is at most one report at a time, which belongs to the interrupt that [GraphTrap] raises. A
/// driver acknowledges the levels independently; levels that it does not acknowledge remain set
/// until the next report. The thread that raises the interrupt stores the report first; all other
/// accesses are confined to the register thread.
///
/// Source: nouveau `nvkm/engine/gr/gf100.c`, `gf100_gr_trap_intr` and its callees.
public final class MpTrap {
    private int gpc;
    private int tpc;
    private volatile boolean unitPending;
    private volatile boolean gpcPending;
    private volatile boolean tpcPending;
    private volatile int warpError;
    private volatile int globalError;

    MpTrap() {}

    /// Stores a report. Called only while the interrupt is not pending.
    void describe(int inGpc, int inTpc, int warpErrorWord, int globalErrorWord) {
        gpc = inGpc;
        tpc = inTpc;
        warpError = warpErrorWord;
        globalError = globalErrorWord;
        tpcPending = true;
        gpcPending = true;
        unitPending = true;
    }

    /// Returns the trapped units of PGRAPH (400108).
    int units() {
        return Pgraph.TRAP_GPC.of(unitPending ? 1 : 0);
    }

    void acknowledgeUnits(int bits) {
        unitPending &= !Pgraph.TRAP_GPC.isSet(bits);
    }

    /// Returns the trapped GPCs (400118).
    int gpcs() {
        return gpcPending ? 1 << gpc : 0;
    }

    void acknowledgeGpcs(int bits) {
        gpcPending &= (bits >>> gpc & 1) == 0;
    }

    /// Returns the trapped TPCs of a GPC (GPC + 2c90).
    int tpcs(int ofGpc) {
        return tpcPending && ofGpc == gpc ? PgraphTraps.GPC_TPCS.of(1 << tpc) : 0;
    }

    void acknowledgeTpcs(int ofGpc, int bits) {
        if (ofGpc == gpc) {
            tpcPending &= (PgraphTraps.GPC_TPCS.get(bits) >>> tpc & 1) == 0;
        }
    }

    /// Returns the trapped units of a TPC (TPC + 508).
    int tpcUnits(int ofGpc, int ofTpc) {
        boolean pending = (warpError(ofGpc, ofTpc) | globalError(ofGpc, ofTpc)) != 0;
        return PgraphTraps.TPC_MP.of(pending ? 1 : 0);
    }

    /// Returns the error of the warp (TPC + 648).
    int warpError(int ofGpc, int ofTpc) {
        return is(ofGpc, ofTpc) ? warpError : 0;
    }

    void setWarpError(int ofGpc, int ofTpc, int word) {
        if (is(ofGpc, ofTpc)) {
            warpError = word;
        }
    }

    /// Returns the errors that no single warp caused (TPC + 650).
    int globalError(int ofGpc, int ofTpc) {
        return is(ofGpc, ofTpc) ? globalError : 0;
    }

    void acknowledgeGlobalError(int ofGpc, int ofTpc, int bits) {
        if (is(ofGpc, ofTpc)) {
            globalError &= ~bits;
        }
    }

    /// Resets to the power-on state.
    void reset() {
        describe(0, 0, 0, 0);
        unitPending = false;
        gpcPending = false;
        tpcPending = false;
    }

    private boolean is(int ofGpc, int ofTpc) {
        return ofGpc == gpc && ofTpc == tpc;
    }
}
