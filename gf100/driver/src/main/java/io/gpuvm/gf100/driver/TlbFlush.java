package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.reg.PfifoFlush;
import java.lang.invoke.VarHandle;

/// Invalidates the GPU's cached translations after a change of page tables
/// (`nvkm/subdev/mmu/vmmgf100.c`, `nvkm/subdev/bar/g84.c`).
public final class TlbFlush {
    private TlbFlush() {}

    /// Invalidates the translations of one page directory, and waits for completion.
    ///
    /// @param target memory that contains the directory
    /// @param directory physical address of the directory
    /// @param hubOnly whether only BARs translate through the directory
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU does not respond in time
    public static void of(
            RegisterPort registers, MemoryTarget target, long directory, boolean hubOnly) {
        // The entries must be visible in memory before the GPU is notified.
        VarHandle.fullFence();
        registers.write(PfifoFlush.FLUSH_CTRL, PfifoFlush.FLUSH_CTRL_START.mask());
        registers.await(
                "flush of host writes",
                PfifoFlush.FLUSH_CTRL,
                value -> !PfifoFlush.FLUSH_CTRL_BUSY.isSet(value));
        registers.await("space for a TLB flush", Pffb.VM_CFG, Pffb.VM_CFG_FLUSH_SLOTS::isSet);
        registers.write(
                Pffb.VM_TLB_FLUSH_VSPACE,
                (int) Pffb.VM_TLB_FLUSH_VSPACE_ADDRESS.ofBytes(directory)
                        | Pffb.VM_TLB_FLUSH_VSPACE_TARGET.of(target.pointerCode()));
        registers.write(
                Pffb.VM_TLB_FLUSH_TRIGGER,
                Pffb.VM_TLB_FLUSH_TRIGGER_BUSY.mask()
                        | Pffb.VM_TLB_FLUSH_ALL_PAGES.mask()
                        | Pffb.VM_TLB_FLUSH_HUB_ONLY.of(hubOnly ? 1 : 0));
        registers.await("TLB flush", Pffb.VM_CFG, Pffb.VM_CFG_FLUSH_DONE::isSet);
    }
}
