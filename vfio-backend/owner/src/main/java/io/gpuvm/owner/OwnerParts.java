package io.gpuvm.owner;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.sched.GpuScheduler;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/// Collaborators of a [GpuOwner].
///
/// @param gpu the GPU, at power-on state
/// @param runlist host memory for the runlist, 4 KiB
/// @param runlistIova bus address of the runlist
/// @param scheduler chooses the next command
/// @param use records the holder of each channel
/// @param commandLimitNs GPU time after which a command is stopped
/// @param clockNs monotonic clock in nanoseconds
public record OwnerParts(
        PhysicalGpu gpu,
        MemorySegment runlist,
        long runlistIova,
        GpuScheduler scheduler,
        DeviceUse use,
        long commandLimitNs,
        LongSupplier clockNs) {}
