package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Pfuse;
import io.gpuvm.gf100.reg.Pstraps;
import io.gpuvm.gf100.reg.Punits;
import java.util.Collections;

/// Permanent properties of a board: fuses, straps, and numbers of units.
///
/// Behaviour: nouveau `nvkm/subdev/{fuse,devinit,volt}/gf100.c`, `nvkm/engine/device/base.c`.
public final class BoardUnit implements Unit {
    /// Arbitrary speed; zero would mean that the speed was never measured.
    private static final int SPEEDO = 1000;

    private final Board board;

    public BoardUnit(Board board) {
        this.board = board;
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.latch(Pfuse.ACCESS)
                // The fuse reports no calibrated sensor: drivers would poll a sensor and report its
                // values.
                .constant(Pfuse.TEMP_CAL_OK, 0)
                .constant(Pfuse.SPEEDO, SPEEDO)
                .constant(Pstraps.STRAPS0_PRIMARY, Pstraps.STRAPS0_CRYSTAL_27MHZ.mask())
                .latch(Punits.FUSE_CONTROL)
                .constant(Punits.UNK00C, Punits.UNK00C_POSTED.mask())
                .latch(Punits.PCI)
                .constant(Punits.DESIGN_GPC_COUNT, board.gpcs())
                .constant(Punits.DESIGN_TPC_PER_GPC_COUNT, Collections.max(board.tpcsPerGpc()))
                .constant(Punits.DESIGN_PART_COUNT, board.partitions())
                .constant(Punits.HW_MISC_DISABLE, disabled())
                .constant(Punits.HW_GPC_DISABLE_MASK, 0)
                .constant(Punits.HW_PART_DISABLE_MASK, 0)
                .constant(Punits.HW_MC_DISABLE_MASK, 0)
                .constant(Punits.SW_GPC_DISABLE_MASK, 0)
                .constant(Punits.SW_PART_DISABLE_MASK, 0);
    }

    private int disabled() {
        int copyEngines = board.copyEngines() ? 0 : Punits.MISC_DISABLE_PCOPY_MASK.mask();
        int display = board.display() ? 0 : Punits.MISC_DISABLE_PDISPLAY.mask();
        return copyEngines | display;
    }
}
