package io.gpuvm.shadow;

import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import java.util.function.LongSupplier;

/// Setup of the shadows of one virtual machine.
///
/// @param vm name of the virtual machine, for logs
/// @param guestMmu MMU of the guest, with its physical memory and the size of its big pages
/// @param vram position of the guest's VRAM in the host's VRAM
/// @param iova position of the guest's memory on the bus
/// @param arena memory for shadows
/// @param strategy time at which guest tables are read
/// @param counters receives the counts
/// @param nanos monotonic clock, in nanoseconds
public record ShadowSetup(
        String vm,
        Mmu guestMmu,
        VramShare vram,
        IovaShare iova,
        VmArena arena,
        ShadowStrategy strategy,
        ShadowCounters counters,
        LongSupplier nanos) {}
