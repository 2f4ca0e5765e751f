package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.trap.vfiouser.Region;
import io.gpuvm.trap.vgpu.VirtualGpu;
import java.util.Optional;

/// Mappings of a virtual GPU's BARs in its guest's VMM.
final class GuestMappings {
    private final VirtualGpu gpu;

    GuestMappings(VirtualGpu gpu) {
        this.gpu = gpu;
    }

    /// Returns a part of a BAR as the guest's processors access it, without a trap.
    ///
    /// @return empty if accesses to a part of it are trapped
    Optional<Exported> part(Bar bar, long offset, long bytes) {
        Region region = gpu.mappable().region(bar, gpu.identity().bytesOf(bar));
        return region.areas().stream()
                .filter(area -> area.offset() <= offset)
                .filter(area -> offset + bytes <= area.offset() + area.bytes())
                .map(_ -> new Exported(region.descriptor(), region.fileOffset() + offset, bytes))
                .findAny();
    }

    /// Returns the number of times that the guest mapped a page of VRAM at two addresses, of which
    /// only one can show the page.
    long doubles() {
        return gpu.mappingCounters().snapshot().get("doubleMappings");
    }
}
