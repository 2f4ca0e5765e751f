package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.trap.client.RegionMap;
import io.gpuvm.trap.client.VfioUserClient;
import java.lang.foreign.MemorySegment;

/// What a hostile guest has mapped of its BARs, as QEMU does: memory that it changes without
/// anybody noticing. Confined to one thread.
final class MappedVram implements AutoCloseable {
    private final MappedMemory pramin;
    private final MappedMemory bar3;

    /// A file's number as another process sees it, to try things with.
    private final RegionMap bar3File;

    private MappedVram(MappedMemory pramin, MappedMemory bar3, RegionMap bar3File) {
        this.pramin = pramin;
        this.bar3 = bar3;
        this.bar3File = bar3File;
    }

    /// @return null if the server lets nothing be mapped
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

    /// The file of BAR3.
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
