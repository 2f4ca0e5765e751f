package io.gpuvm.gf100.device;

import java.util.List;

/// Part of a GPU's bus interface that gives the GPU access to host memory. The driver of a
/// [GpuDevice] calls these operations directly; a virtual machine that shares a GPU reaches the
/// same operations through the GPU's owner. Confined to one thread at a time.
public interface DmaPort {
    /// Gives the device access to host memory. Mapping the same range again has no effect.
    ///
    /// @throws GpuDeviceException if the file ends before the mapping, if the range overlaps a
    ///   different mapping or memory reserved by the device, or if Linux refuses the mapping
    void mapDma(DmaMapping mapping);

    /// Calls [#mapDma(DmaMapping)] for each of several mappings, in order, and continues after a
    /// refusal. The engines may be held during the call, so a list should have at most a few dozen
    /// mappings.
    ///
    /// @param refusals receives the refused mappings
    default void mapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        for (int i = 0; i < mappings.size(); i++) {
            try {
                mapDma(mappings.get(i));
            } catch (GpuDeviceException e) {
                refusals.onRefused(i, e);
            }
        }
    }

    /// Unmaps every mapping inside `[iova, iova + bytes)`; the range may extend to the end of the
    /// address space. A mapping that partly overlaps the range is split; its remainder may be
    /// inaccessible to the device until this call returns. Ranges that were never mapped are
    /// ignored.
    ///
    /// When this call returns, the device can no longer access the memory. Commands that still use
    /// the memory behave as on hardware: reads return all ones, writes are dropped, and the host
    /// may report a PCI error. A device that tracks accesses waits until accesses in progress are
    /// complete.
    ///
    /// @param iova start, unsigned
    /// @param bytes length, unsigned; `iova + bytes` is at most 2^64
    /// @throws GpuDeviceException if the remainder of a split mapping cannot be retained; the range
    ///   and the remainder are then both unmapped
    void unmapDma(long iova, long bytes);

    /// Calls [#unmapDma(long, long)] for each of several ranges, at most a few dozen.
    default void unmapDma(List<DmaRange> ranges) {
        for (DmaRange range : ranges) {
            unmapDma(range.iova(), range.bytes());
        }
    }
}
