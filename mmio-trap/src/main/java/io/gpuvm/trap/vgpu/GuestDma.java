package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaPort;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.translation.Mmu;
import java.util.ArrayList;
import java.util.List;

/// Mappings of guest memory, each of which exists both in the GPU and in this process, where the
/// guest's page tables are read. Confined to the virtual machine's thread.
///
/// @param ram mappings in this process
/// @param gpu mappings in the GPU
/// @param mmu receives the invalidation of locations in guest memory
record GuestDma(GuestRam ram, DmaPort gpu, Mmu mmu) implements DmaPort {
    @Override
    public void mapDma(DmaMapping mapping) {
        ram.map(mapping);
        try {
            gpu.mapDma(mapping);
        } catch (GpuDeviceException e) {
            ram.unmap(mapping.iova(), mapping.bytes());
            throw e;
        }
        mmu.invalidateTranslations();
    }

    @Override
    public void mapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        boolean[] refused = new boolean[mappings.size()];
        ram.map(
                mappings,
                (index, why) -> {
                    refused[index] = true;
                    refusals.onRefused(index, why);
                });
        List<DmaMapping> made = new ArrayList<>(mappings.size());
        int[] indexes = new int[mappings.size()];
        for (int i = 0; i < refused.length; i++) {
            if (!refused[i]) {
                indexes[made.size()] = i;
                made.add(mappings.get(i));
            }
        }
        gpu.mapDma(
                made,
                (index, why) -> {
                    DmaMapping mapping = made.get(index);
                    ram.unmap(mapping.iova(), mapping.bytes());
                    refusals.onRefused(indexes[index], why);
                });
        mmu.invalidateTranslations();
    }

    @Override
    public void unmapDma(long iova, long bytes) {
        try {
            gpu.unmapDma(iova, bytes);
        } finally {
            mmu.invalidateTranslations();
            ram.unmap(iova, bytes);
        }
    }

    @Override
    public void unmapDma(List<DmaRange> ranges) {
        try {
            gpu.unmapDma(ranges);
        } finally {
            mmu.invalidateTranslations();
            ram.unmap(ranges);
        }
    }
}
