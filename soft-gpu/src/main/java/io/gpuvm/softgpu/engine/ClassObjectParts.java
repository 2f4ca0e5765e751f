package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.unit.CopyTrap;
import io.gpuvm.gf100.unit.GraphTrap;
import io.gpuvm.gf100.unit.fifo.NonStallInterrupts;
import io.gpuvm.softgpu.mmu.VirtualMemory;
import java.util.function.LongSupplier;

/// Collaborators of a class object on one channel.
///
/// @param memory the channel's address space
/// @param clockNs the GPU's clock, in nanoseconds
/// @param slice time slice of the running channel
/// @param counters counters of events
/// @param graphTrap reports refusals by PGRAPH
/// @param copyTrap0 reports refusals by copy engine 0
/// @param copyTrap1 reports refusals by copy engine 1
/// @param nonStall raises the non-stall interrupts that methods request
/// @param macros the channel's macro memory
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
