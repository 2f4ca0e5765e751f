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

/// Parts of a [VirtualGpu].
///
/// @param vm name of the virtual machine, for logs
/// @param board chip in the guest's view; its VRAM is as large as the share
/// @param bar1Bytes size of BAR1, a power of two
/// @param bar3Bytes size of BAR3, a power of two
/// @param vram VRAM of the guest, as large as the share
/// @param scrub operation that zeroes the VRAM
/// @param share position of the VRAM in the GPU's VRAM
/// @param memory position of the guest's memory on the GPU's bus
/// @param arena memory of the shadow structures
/// @param strategy time at which the guest's page tables are read
/// @param counters receives the costs of shadowing
/// @param mapping parts of the BARs that the guest's VMM may map
/// @param requests port to the GPU's owner
/// @param inbox reports of the GPU's owner
/// @param clockNs monotonic clock
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
    /// Returns the identity of the GPU on the guest's PCI bus.
    PciIdentity identity() {
        return Board.identity(bar1Bytes, bar3Bytes);
    }
}
