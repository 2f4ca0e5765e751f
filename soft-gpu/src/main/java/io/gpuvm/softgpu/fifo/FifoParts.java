package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.CopyTrap;
import io.gpuvm.gf100.unit.GraphTrap;
import io.gpuvm.gf100.unit.InterruptLine;
import io.gpuvm.softgpu.engine.ComputeParts;
import io.gpuvm.softgpu.engine.WorkCounters;
import io.gpuvm.softgpu.memory.SystemMemory;
import java.util.function.LongSupplier;

/// What PFIFO stands on.
///
/// @param mmu memory and big-page size
/// @param host the host memory that is mapped for the GPU
/// @param clockNs the GPU's clock, for timestamps; called by the engine thread
/// @param interrupt PFIFO's input of PMC
/// @param copyEngines whether copy engines exist (not fused off)
/// @param counters told what happens
/// @param times told how long channels use engines
/// @param graphTrap where PGRAPH's refusals are shown
/// @param copyTrap0 where those of copy engine 0 are shown
/// @param copyTrap1 where those of copy engine 1 are shown
/// @param compute what compute classes share
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
