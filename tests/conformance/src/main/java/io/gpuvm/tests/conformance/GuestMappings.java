package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.trap.vfiouser.Region;
import io.gpuvm.trap.vgpu.VirtualGpu;
import java.util.Optional;

/// What of a virtual GPU's BARs its guest's VMM maps.
final class GuestMappings {
    private final VirtualGpu gpu;

    GuestMappings(VirtualGpu gpu) {
        this.gpu = gpu;
    }

    /// A part of a BAR as the guest's processors access it, past everybody.
    ///
    /// @return empty if accesses to any of it are trapped
    Optional<Exported> part(Bar bar, long offset, long bytes) {
        Region region = gpu.mappable().region(bar, gpu.identity().bytesOf(bar));
        return region.areas().stream()
                .filter(area -> area.offset() <= offset)
                .filter(area -> offset + bytes <= area.offset() + area.bytes())
                .map(_ -> new Exported(region.descriptor(), region.fileOffset() + offset, bytes))
                .findAny();
    }

    /// How often the guest named a page of VRAM in two places of which one shows it.
    long doubles() {
        return gpu.mappingCounters().snapshot().get("doubleMappings");
    }
}
