package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// Where the parts of the graphics pipeline say why they stopped: each GPC which of its TPCs did,
/// each TPC which of its units, and a multiprocessor what its warp did. [Pgraph#TRAP] and
/// [Pgraph#TRAP_GPCS] lead here.
///
/// Sources: envytools `rnndb/graph/gf100_pgraph/{gpc,tpc}.xml`; nouveau `nvkm/engine/gr/gf100.c`.
public final class PgraphTraps {
    /// GPCs and TPCs of a GPC that these registers can name.
    public static final int GPCS = PgraphState.GPCS;

    public static final int TPCS = PgraphState.TPCS;

    /// Bit of [#gpc(int)] for TPC 0; the others follow.
    public static final BitField GPC_TPCS = bits(19, 16);

    /// In [#tpc(int, int)]: the multiprocessor.
    public static final BitField TPC_MP = bit(1);

    /// In [#warpError(int, int)]: which error, 0 for none.
    public static final BitField WARP_ERROR_CODE = bits(15, 0);

    /// In [#globalError(int, int)]: warps went wrong before the first error was read.
    public static final BitField GLOBAL_MULTIPLE_WARP_ERRORS = bit(2);

    private static final int GPC_TRAP = 0x2c90;
    private static final int TPC_TRAP = 0x0508;
    private static final int MP_WARP_ERROR = 0x0648;
    private static final int MP_GLOBAL_ERROR = 0x0650;

    private PgraphTraps() {}

    /// Which TPCs of a GPC stopped; write 1 to clear.
    public static Register gpc(int gpc) {
        return new Register(
                "PGRAPH.GPC[%d].CTXCTL.TRAP".formatted(gpc), PgraphState.gpcBase(gpc) + GPC_TRAP);
    }

    /// Which units of a TPC stopped.
    public static Register tpc(int gpc, int tpc) {
        return register(gpc, tpc, "MASTER.TRAP", TPC_TRAP);
    }

    /// What the warp did that stopped; write 0 to clear.
    public static Register warpError(int gpc, int tpc) {
        return register(gpc, tpc, "MP.TRAP_WARP_ERROR", MP_WARP_ERROR);
    }

    /// What went wrong beyond a warp; write 1 to clear.
    public static Register globalError(int gpc, int tpc) {
        return register(gpc, tpc, "MP.TRAP_GLOBAL_ERROR", MP_GLOBAL_ERROR);
    }

    private static Register register(int gpc, int tpc, String name, int offset) {
        return new Register(
                "PGRAPH.GPC[%d].TPC[%d].%s".formatted(gpc, tpc, name),
                PgraphState.tpcBase(gpc, tpc) + offset);
    }
}
