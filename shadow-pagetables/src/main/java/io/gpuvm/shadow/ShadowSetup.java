package io.gpuvm.shadow;

import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import java.util.function.LongSupplier;

/// Setup of the shadows of one virtual machine.
///
/// @param vm name of the virtual machine, for logs
/// @param guestMmu physical memory of the guest, and its size of big pages
/// @param vram position of the guest's VRAM in the host's
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
