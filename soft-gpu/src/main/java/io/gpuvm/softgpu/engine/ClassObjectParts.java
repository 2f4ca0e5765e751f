package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.unit.CopyTrap;
import io.gpuvm.gf100.unit.GraphTrap;
import io.gpuvm.gf100.unit.fifo.NonStallInterrupts;
import io.gpuvm.softgpu.mmu.VirtualMemory;
import java.util.function.LongSupplier;

/// Collaborators of a class object of one channel.
///
/// @param memory the channel's address space
/// @param clockNs the GPU's clock, in nanoseconds
/// @param slice time slice after which other work runs
/// @param counters counters of events
/// @param graphTrap reports refusals of PGRAPH
/// @param copyTrap0 reports refusals of copy engine 0
/// @param copyTrap1 reports refusals of copy engine 1
/// @param nonStall raises the interrupts that methods request
/// @param macros the channel's macros
/// @param compute state that compute classes share
/// @param channel number of the channel, for messages
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
