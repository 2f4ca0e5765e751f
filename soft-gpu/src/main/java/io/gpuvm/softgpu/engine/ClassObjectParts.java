package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.unit.CopyTrap;
import io.gpuvm.gf100.unit.GraphTrap;
import io.gpuvm.gf100.unit.fifo.NonStallInterrupts;
import io.gpuvm.softgpu.mmu.VirtualMemory;
import java.util.function.LongSupplier;

/// What a class object of one channel stands on.
///
/// @param memory the channel's address space
/// @param clockNs the GPU's clock
/// @param slice when to stop for others
/// @param counters told what happens
/// @param graphTrap where PGRAPH's refusals are shown
/// @param copyTrap0 where those of copy engine 0 are shown
/// @param copyTrap1 where those of copy engine 1 are shown
/// @param nonStall where the interrupts go that methods ask for
/// @param macros the channel's macros
/// @param compute what compute classes share
/// @param channel number of the channel, for reports to humans
public record ClassObjectParts(
        VirtualMemory memory,
        LongSupplier clockNs,
        TimeSlice slice,
        WorkCounters counters,
        GraphTrap graphTrap,
        CopyTrap copyTrap0,
        CopyTrap copyTrap1,
        NonStallInterrupts nonStall,
        MacroMemory macros,
        ComputeParts compute,
        int channel) {}
