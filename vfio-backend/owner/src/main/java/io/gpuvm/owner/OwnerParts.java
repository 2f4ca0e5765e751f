package io.gpuvm.owner;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.sched.GpuScheduler;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/// What a [GpuOwner] stands on.
///
/// @param gpu at power-on state
/// @param runlist host memory for the runlist, 4 KiB
/// @param runlistIova where the GPU sees it
/// @param scheduler whose command runs next
/// @param use told who has which channel
/// @param commandLimitNs GPU time after which a command is ended
/// @param clockNs a clock that never runs backwards
public record OwnerParts(
        PhysicalGpu gpu,
        MemorySegment runlist,
        long runlistIova,
        GpuScheduler scheduler,
        DeviceUse use,
        long commandLimitNs,
        LongSupplier clockNs) {}
