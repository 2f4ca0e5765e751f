package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.memory.MemoryPort;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/// What the register space leads to.
///
/// @param board what of the chip is present
/// @param vbios image that PROM shows, a multiple of 4 KiB
/// @param memory the GPU's physical memory
/// @param onPraminMove told where in VRAM PRAMIN begins, see [PraminUnit]
/// @param bar1Control told what is written to `PBUS.BAR1`
/// @param bar3Control told what is written to `PBUS.BAR3`
/// @param translations the MMU
/// @param interrupts tree and output
/// @param ptimer the GPU's clock
/// @param fifo PFIFO; whoever runs the channels is behind it
/// @param onSwitchedOff told which bits of `PMC.ENABLE` went from 1 to 0
/// @param graphTrap what PGRAPH reports
/// @param copyTrap0 what copy engine 0 reports
/// @param copyTrap1 what copy engine 1 reports
public record Bar0Parts(
        Board board,
        byte[] vbios,
        MemoryPort memory,
        LongConsumer onPraminMove,
        IntConsumer bar1Control,
        IntConsumer bar3Control,
        PffbUnit.Translations translations,
        InterruptOutput interrupts,
        PtimerUnit ptimer,
        Unit fifo,
        IntConsumer onSwitchedOff,
        GraphTrap graphTrap,
        CopyTrap copyTrap0,
        CopyTrap copyTrap1) {}
