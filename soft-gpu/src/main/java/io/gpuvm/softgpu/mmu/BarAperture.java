package io.gpuvm.softgpu.mmu;

import io.gpuvm.gf100.device.Bar;

/// BAR1 or BAR3: a view of memory through the GPU's page tables.
///
/// Confined to the register thread.
public final class BarAperture {
    /// @param bar [Bar#BAR1] or [Bar#BAR3]
    /// @param bytes size of the BAR
    /// @param faults told of accesses that the page tables refuse
    public BarAperture(Bar bar, long bytes, Mmu mmu, FaultSink faults) {}

    /// Follows the BAR's control register (001704, 001714): instance block and enable bit.
    public void control(int value) {}

    /// Drops every cached translation.
    public void invalidate() {}

    /// Reads 1, 2, 4 or 8 bytes at an aligned offset; all ones where no page is.
    public long read(long barOffset, int width) {
        return -1L;
    }

    /// Writes 1, 2, 4 or 8 bytes at an aligned offset; dropped where no page is.
    public void write(long barOffset, int width, long value) {}
}
