package io.gpuvm.softgpu.bus;

import io.gpuvm.gf100.translation.BarAperture;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.Board;
import io.gpuvm.gf100.unit.CopyTrap;
import io.gpuvm.gf100.unit.GraphTrap;
import io.gpuvm.gf100.unit.PtimerUnit;
import io.gpuvm.softgpu.fifo.Fifo;

/// What the register space leads to.
///
/// @param board what of the chip is present
/// @param vbios image that PROM shows, a multiple of 4 KiB
/// @param mmu memory and page size
/// @param bar1 aperture that `PBUS.BAR1` controls
/// @param bar3 aperture that `PBUS.BAR3` controls
/// @param interrupts tree and output
/// @param ptimer the GPU's clock
/// @param fifo channels
/// @param graphTrap what PGRAPH reports
/// @param copyTrap0 what copy engine 0 reports
/// @param copyTrap1 what copy engine 1 reports
public record Bar0Parts(
        Board board,
        byte[] vbios,
        Mmu mmu,
        BarAperture bar1,
        BarAperture bar3,
        InterruptOutput interrupts,
        PtimerUnit ptimer,
        Fifo fifo,
        GraphTrap graphTrap,
        CopyTrap copyTrap0,
        CopyTrap copyTrap1) {}
