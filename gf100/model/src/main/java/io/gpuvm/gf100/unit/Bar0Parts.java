package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.memory.MemoryPort;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/// Collaborators of the register space.
///
/// @param board units of the chip that are present
/// @param vbios image that PROM shows, a multiple of 4 KiB
/// @param memory the GPU's physical memory
/// @param onPraminMove receives the position of PRAMIN in VRAM, see [PraminUnit]
/// @param bar1Control receives each word written to `PBUS.BAR1`
/// @param bar3Control receives each word written to `PBUS.BAR3`
/// @param translations the MMU
/// @param interrupts interrupt tree and output
/// @param ptimer the GPU's clock
/// @param fifo PFIFO, which controls the execution of channels
/// @param onSwitchedOff receives the bits of `PMC.ENABLE` that changed from 1 to 0
/// @param graphTrap reports of PGRAPH
/// @param copyTrap0 reports of copy engine 0
/// @param copyTrap1 reports of copy engine 1
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
