package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// Reasons for traps in the graphics pipeline: each GPC reports its trapped TPCs, each TPC its
/// trapped units, and a multiprocessor the error of its warp. [Pgraph#TRAP] and [Pgraph#TRAP_GPCS]
/// summarize these reports.
///
/// Sources: envytools `rnndb/graph/gf100_pgraph/{gpc,tpc}.xml`; nouveau `nvkm/engine/gr/gf100.c`.
public final class PgraphTraps {
    /// Number of GPCs that these registers can represent.
    public static final int GPCS = PgraphState.GPCS;

    /// Number of TPCs per GPC that these registers can represent.
    public static final int TPCS = PgraphState.TPCS;

    /// Bits of [#gpc(int)], one for each TPC, TPC 0 lowest.
    public static final BitField GPC_TPCS = bits(19, 16);

    /// Bit of the multiprocessor in [#tpc(int, int)].
    public static final BitField TPC_MP = bit(1);

    /// Error code in [#warpError(int, int)], 0 if no error occurred.
    public static final BitField WARP_ERROR_CODE = bits(15, 0);

    /// Flag in [#globalError(int, int)]: several warps failed before the driver read the first
    /// error.
    public static final BitField GLOBAL_MULTIPLE_WARP_ERRORS = bit(2);

    private static final int GPC_TRAP = 0x2c90;
    private static final int TPC_TRAP = 0x0508;
    private static final int MP_WARP_ERROR = 0x0648;
    private static final int MP_GLOBAL_ERROR = 0x0650;

    private PgraphTraps() {}

    /// Returns the register that identifies the trapped TPCs of a GPC; writing 1 clears a bit.
    public static Register gpc(int gpc) {
        return new Register(
                "PGRAPH.GPC[%d].CTXCTL.TRAP".formatted(gpc), PgraphState.gpcBase(gpc) + GPC_TRAP);
    }

    /// Returns the register that identifies the trapped units of a TPC.
    public static Register tpc(int gpc, int tpc) {
        return register(gpc, tpc, "MASTER.TRAP", TPC_TRAP);
    }

    /// Returns the register that contains the error of the trapped warp; writing 0 clears the
    /// error.
    public static Register warpError(int gpc, int tpc) {
        return register(gpc, tpc, "MP.TRAP_WARP_ERROR", MP_WARP_ERROR);
    }

    /// Returns the register that contains errors that no single warp caused; writing 1 clears a
    /// bit.
    public static Register globalError(int gpc, int tpc) {
        return register(gpc, tpc, "MP.TRAP_GLOBAL_ERROR", MP_GLOBAL_ERROR);
    }

    private static Register register(int gpc, int tpc, String name, int offset) {
        return new Register(
                "PGRAPH.GPC[%d].TPC[%d].%s".formatted(gpc, tpc, name),
                PgraphState.tpcBase(gpc, tpc) + offset);
    }
}
