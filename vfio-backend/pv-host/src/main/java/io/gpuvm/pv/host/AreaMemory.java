package io.gpuvm.pv.host;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import io.gpuvm.pv.protocol.AreaLayout;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;

/// Memory of a shared area, which a guest maps; its length is sealed. The memory outlives the guest
/// if it belongs to a PCI function.
final class AreaMemory implements AutoCloseable {
    /// Number of submission entries: several times the largest batch of any known client.
    private static final int SUBMISSION_ENTRIES = 1024;

    private final AreaLayout layout;
    private final MemFd file;
    private final MappedMemory mapping;

    private AreaMemory(AreaLayout layout, MemFd file, MappedMemory mapping) {
        this.layout = layout;
        this.file = file;
        this.mapping = mapping;
    }

    /// Returns the layout of the area for a place's guest.
    ///
    /// @param dataBytes length of the data area, a multiple of the page size, within the guest's
    ///   quota
    static AreaLayout layoutOf(PvPlace place, long dataBytes) {
        return AreaLayout.of(
                place.gpu().channels(),
                SUBMISSION_ENTRIES,
                completionEntries(place.quotas()),
                dataBytes);
    }

    /// Allocates memory that reads as zeros.
    ///
    /// @throws LinuxException if Linux refuses the allocation
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

    /// Clears the memory, so that it reads as zeros through every mapping, and returns its pages to
    /// Linux.
    void clear() {
        file.punchHole(0, layout.bytes());
    }

    /// Releases the memory even if a guest keeps its descriptor. Pages that the guest writes
    /// afterwards through its own mapping are charged to the guest.
    @Override
    public void close() {
        try {
            clear();
        } finally {
            mapping.close();
            file.close();
        }
    }

    /// Returns the number of completion entries, at least the maximum number of unanswered
    /// commands.
    private static int completionEntries(PvQuotas quotas) {
        int unanswered = quotas.commandsInFlight() + quotas.waits() + 1;
        int entries = Integer.highestOneBit(unanswered - 1) << 1;
        return Math.clamp(entries, SUBMISSION_ENTRIES, AreaLayout.MAX_ENTRIES);
    }
}
