package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.reg.Pgraph;
import io.gpuvm.gf100.reg.PgraphTraps;

/// Reader of multiprocessor traps: finds the trapped multiprocessor, reads its errors, and
/// acknowledges them level by level, as a driver does. PGRAPH's interrupt itself remains pending.
/// If several multiprocessors have trapped, the last is reported. Confined to the owner's thread.
public final class MpTraps {
    private static final int ALL = -1;

    private final RegisterPort registers;
    private boolean found;
    private int gpc;
    private int tpc;
    private int warpError;
    private int globalError;

    public MpTraps(RegisterPort registers) {
        this.registers = registers;
    }

    /// Reads and acknowledges all reports.
    ///
    /// @return whether a multiprocessor had trapped
    public boolean take() {
        found = false;
        int gpcs = registers.read(Pgraph.TRAP_GPCS);
        for (int i = 0; i < PgraphTraps.GPCS; i++) {
            if ((gpcs >>> i & 1) != 0) {
                takeGpc(i);
            }
        }
        registers.write(Pgraph.TRAP_GPCS, gpcs);
        registers.write(Pgraph.TRAP, ALL);
        return found;
    }

    public int gpc() {
        return gpc;
    }

    public int tpc() {
        return tpc;
    }

    public int warpError() {
        return warpError;
    }

    public int globalError() {
        return globalError;
    }

    private void takeGpc(int number) {
        int stopped = registers.read(PgraphTraps.gpc(number));
        for (int i = 0; i < PgraphTraps.TPCS; i++) {
            if ((PgraphTraps.GPC_TPCS.get(stopped) >>> i & 1) != 0) {
                takeTpc(number, i);
            }
        }
        registers.write(PgraphTraps.gpc(number), stopped);
    }

    private void takeTpc(int inGpc, int number) {
        if (!PgraphTraps.TPC_MP.isSet(registers.read(PgraphTraps.tpc(inGpc, number)))) {
            return;
        }
        found = true;
        gpc = inGpc;
        tpc = number;
        warpError = registers.read(PgraphTraps.warpError(inGpc, number));
        globalError = registers.read(PgraphTraps.globalError(inGpc, number));
        registers.write(PgraphTraps.warpError(inGpc, number), 0);
        registers.write(PgraphTraps.globalError(inGpc, number), globalError);
    }
}
