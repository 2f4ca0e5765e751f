package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.memory.VramPages;
import io.gpuvm.gf100.unit.Board;
import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import io.gpuvm.shadow.ShadowCounters;
import io.gpuvm.shadow.ShadowStrategy;
import java.util.function.LongSupplier;

/// What one [VirtualGpu] is made of.
///
/// @param vm the virtual machine's name, for logs
/// @param board what of the chip the guest sees; its VRAM is as large as the share
/// @param bar1Bytes size of BAR1, a power of two
/// @param bar3Bytes size of BAR3, a power of two
/// @param vram the guest's VRAM, as long as the share
/// @param scrub zeroes it
/// @param share where that lies in the GPU's VRAM
/// @param memory where the guest's memory lies on the GPU's bus
/// @param arena where shadow structures lie
/// @param strategy when the guest's page tables are read
/// @param counters told what that cost
/// @param mapping what of the BARs the guest's VMM may map
/// @param requests the way down to the GPU's owner
/// @param inbox what comes back
/// @param clockNs a clock that never runs backwards
public record VirtualGpuParts(
        String vm,
        Board board,
        long bar1Bytes,
        long bar3Bytes,
        VramPages vram,
        Runnable scrub,
        VramShare share,
        IovaShare memory,
        VmArena arena,
        ShadowStrategy strategy,
        ShadowCounters counters,
        DirectMapping mapping,
        GpuRequests requests,
        CompletionInbox inbox,
        LongSupplier clockNs) {
    /// What the guest finds on its PCI bus.
    PciIdentity identity() {
        return Board.identity(bar1Bytes, bar3Bytes);
    }
}
