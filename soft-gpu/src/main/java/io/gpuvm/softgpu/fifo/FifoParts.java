package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.CopyTrap;
import io.gpuvm.gf100.unit.GraphTrap;
import io.gpuvm.gf100.unit.InterruptLine;
import io.gpuvm.softgpu.engine.ComputeParts;
import io.gpuvm.softgpu.engine.WorkCounters;
import io.gpuvm.softgpu.memory.SystemMemory;
import java.util.function.LongSupplier;

/// Collaborators of PFIFO.
///
/// @param mmu memory and big-page size
/// @param host host memory that is mapped for the GPU
/// @param clockNs the GPU's clock in nanoseconds, for timestamps; called on the engine thread
/// @param interrupt input of PMC for PFIFO
/// @param copyEngines whether copy engines exist (not fused off)
/// @param counters counters of events
/// @param times records the engine time of channels
/// @param graphTrap reports refusals by PGRAPH
/// @param copyTrap0 reports refusals by copy engine 0
/// @param copyTrap1 reports refusals by copy engine 1
/// @param compute state that compute classes share
public record FifoParts(
        Mmu mmu,
        SystemMemory host,
        LongSupplier clockNs,
        InterruptLine interrupt,
        boolean copyEngines,
        WorkCounters counters,
        ChannelTimes times,
        GraphTrap graphTrap,
        CopyTrap copyTrap0,
        CopyTrap copyTrap1,
        ComputeParts compute) {}
