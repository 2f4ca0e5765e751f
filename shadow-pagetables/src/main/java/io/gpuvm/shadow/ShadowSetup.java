package io.gpuvm.shadow;

import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import java.util.function.LongSupplier;

/// What the shadows of one VM are made of.
///
/// @param vm the VM's name, for logs
/// @param guestMmu the guest's physical memory, and the size of big pages that it has chosen
/// @param vram where its VRAM lies in the host's
/// @param iova where its memory lies on the bus
/// @param arena where shadows lie
/// @param strategy when guest tables are read
/// @param counters told what was done
/// @param nanos a monotonic clock
public record ShadowSetup(
        String vm,
        Mmu guestMmu,
        VramShare vram,
        IovaShare iova,
        VmArena arena,
        ShadowStrategy strategy,
        ShadowCounters counters,
        LongSupplier nanos) {}
