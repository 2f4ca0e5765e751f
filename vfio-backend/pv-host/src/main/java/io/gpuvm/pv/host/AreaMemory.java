package io.gpuvm.pv.host;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import io.gpuvm.pv.protocol.AreaLayout;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;

/// The memory of a shared area, sealed at its length: what a guest maps. It outlives the guest if
/// it is part of a device.
final class AreaMemory implements AutoCloseable {
    /// A batch of any size that anybody uses fits, several times over.
    private static final int SUBMISSION_ENTRIES = 1024;

    private final AreaLayout layout;
    private final MemFd file;
    private final MappedMemory mapping;

    private AreaMemory(AreaLayout layout, MemFd file, MappedMemory mapping) {
        this.layout = layout;
        this.file = file;
        this.mapping = mapping;
    }

    /// How the area of a place's guest is laid out.
    ///
    /// @param dataBytes length of the data area, whole pages, within the guest's quota
    static AreaLayout layoutOf(PvPlace place, long dataBytes) {
        return AreaLayout.of(
                place.gpu().channels(),
                SUBMISSION_ENTRIES,
                completionEntries(place.quotas()),
                dataBytes);
    }

    /// Makes memory that reads as zeros.
    ///
    /// @throws LinuxException if the kernel refuses
    static AreaMemory create(PvPlace place, AreaLayout layout) {
        MemFd file = MemFd.create("gpuvm-pv-" + place.name(), layout.bytes());
        try {
            file.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
            MappedMemory mapping =
                    MappedMemory.map(
                            file.descriptor(), 0, layout.bytes(), MappedMemory.Access.READ_WRITE);
            return new AreaMemory(layout, file, mapping);
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    AreaLayout layout() {
        return layout;
    }

    MemorySegment segment() {
        return mapping.segment();
    }

    int descriptor() {
        return file.descriptor();
    }

    /// Makes it read as zeros again, through every mapping, and gives its pages back to the system.
    void clear() {
        file.punchHole(0, layout.bytes());
    }

    /// Gives the memory back even if a guest keeps its descriptor. What that guest writes to its
    /// own mapping from then on is memory of its own.
    @Override
    public void close() {
        try {
            clear();
        } finally {
            mapping.close();
            file.close();
        }
    }

    /// As many as there may be commands that are not answered yet.
    private static int completionEntries(PvQuotas quotas) {
        int unanswered = quotas.commandsInFlight() + quotas.waits() + 1;
        int entries = Integer.highestOneBit(unanswered - 1) << 1;
        return Math.clamp(entries, SUBMISSION_ENTRIES, AreaLayout.MAX_ENTRIES);
    }
}
