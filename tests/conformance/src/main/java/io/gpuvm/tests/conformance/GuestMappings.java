package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.trap.vfiouser.Region;
import io.gpuvm.trap.vgpu.MappableBars;
import io.gpuvm.trap.vgpu.MappingCounters;
import java.util.Optional;

/// Mappings of a guest's BARs in its VMM.
///
/// @param gpu GPU of the guest
/// @param mappable parts of the GPU's BARs that the VMM maps
/// @param counters costs of mapping
record GuestMappings(GpuDevice gpu, MappableBars mappable, MappingCounters counters) {
    /// Returns a part of a BAR as the guest's processors access it, without a trap.
    ///
    /// @return the mapped part; empty if any access to the part is trapped
    Optional<Exported> part(Bar bar, long offset, long bytes) {
        Region region = mappable.region(bar, gpu.identity().bytesOf(bar));
        return region.areas().stream()
                .filter(area -> area.offset() <= offset)
                .filter(area -> offset + bytes <= area.offset() + area.bytes())
                .map(_ -> new Exported(region.descriptor(), region.fileOffset() + offset, bytes))
                .findAny();
    }

    /// Returns the number of times that the guest mapped a page of VRAM at two addresses, of which
    /// only one can show the page.
    long doubles() {
        return counters.snapshot().get("doubleMappings");
    }
}
