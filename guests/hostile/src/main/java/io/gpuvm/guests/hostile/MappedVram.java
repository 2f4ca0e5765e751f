package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.trap.client.RegionMap;
import io.gpuvm.trap.client.VfioUserClient;
import java.lang.foreign.MemorySegment;

/// Mapped parts of a hostile guest's BARs, as QEMU maps them. The backend does not observe writes
/// to this memory. Confined to one thread.
final class MappedVram implements AutoCloseable {
    private final MappedMemory pramin;
    private final MappedMemory bar3;

    /// Descriptor of BAR3's file as another process receives it, for attacks on the file.
    private final RegionMap bar3File;

    private MappedVram(MappedMemory pramin, MappedMemory bar3, RegionMap bar3File) {
        this.pramin = pramin;
        this.bar3 = bar3;
        this.bar3File = bar3File;
    }

    /// @return mapped parts; null if the server offers no mapping
    static MappedVram of(VfioUserClient client) {
        RegionMap file3 = client.regionMap(HostileGuest.BAR3);
        try (RegionMap file0 = client.regionMap(HostileGuest.BAR0)) {
            for (RegionMap.Area area : file0.areas()) {
                if (area.offset() == Pramin.WINDOW.first()) {
                    return new MappedVram(
                            file0.map(area), file3.map(file3.areas().getFirst()), file3);
                }
            }
        }
        file3.close();
        return null;
    }

    MemorySegment pramin() {
        return pramin.segment();
    }

    MemorySegment bar3() {
        return bar3.segment();
    }

    /// Returns the file of BAR3.
    RegionMap bar3File() {
        return bar3File;
    }

    @Override
    public void close() {
        pramin.close();
        bar3.close();
        bar3File.close();
    }
}
