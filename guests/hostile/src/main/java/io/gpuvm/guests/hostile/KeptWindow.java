package io.gpuvm.guests.hostile;

import io.gpuvm.linux.MappedMemory;
import io.gpuvm.trap.client.RegionMap;
import io.gpuvm.trap.client.VfioUserClient;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.function.Consumer;

/// Client that disconnects but retains its mapping, to access the VRAM of its successor.
final class KeptWindow {
    private static final byte THEIRS = 0x77;
    private static final byte OURS = 0x5a;

    private final Path socket;
    private final Consumer<String> findings;

    KeptWindow(Path socket, Consumer<String> findings) {
        this.socket = socket;
        this.findings = findings;
    }

    void attack() {
        MappedMemory kept = leaveWithPramin();
        try (HostileGuest successor = new HostileGuest(socket, findings)) {
            MemorySegment pramin = successor.mapped().pramin();
            successor.aim(HostileGuest.DATA);
            pramin.fill(THEIRS);
            kept.segment().fill(OURS);
            successor.aim(HostileGuest.TABLES);
            successor.aim(HostileGuest.DATA);
            if (contains(kept.segment(), THEIRS)) {
                successor.found("a retained mapping shows the writes of a later guest");
            }
            if (contains(pramin, OURS)) {
                successor.found("a retained mapping writes the VRAM of a later guest");
            }
        } finally {
            kept.close();
        }
    }

    private MappedMemory leaveWithPramin() {
        try (VfioUserClient client = new VfioUserClient(socket).negotiate();
                RegionMap bar0 = client.regionMap(HostileGuest.BAR0)) {
            return bar0.map(bar0.areas().getLast());
        }
    }

    private static boolean contains(MemorySegment memory, byte value) {
        for (long at = 0; at < memory.byteSize(); at++) {
            if (memory.get(ValueLayout.JAVA_BYTE, at) == value) {
                return true;
            }
        }
        return false;
    }
}
