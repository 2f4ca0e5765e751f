package io.gpuvm.pv.host;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.pv.protocol.AreaLayout;
import java.lang.foreign.MemorySegment;

/// Memory of a shared area, which a guest maps: a file, or a part of one, whose length is sealed.
/// The file outlives the guest if it belongs to a PCI function ([MachineMemory]).
final class AreaMemory implements AutoCloseable {
    /// Number of submission entries: several times the largest batch of any known client.
    private static final int SUBMISSION_ENTRIES = 1024;

    private final AreaLayout layout;
    private final MemFd file;
    private final long offset;
    private final boolean ownsFile;
    private final MappedMemory mapping;

    private AreaMemory(AreaLayout layout, MemFd file, long offset, boolean ownsFile) {
        this.layout = layout;
        this.file = file;
        this.offset = offset;
        this.ownsFile = ownsFile;
        mapping =
                MappedMemory.map(
                        file.descriptor(), offset, layout.bytes(), MappedMemory.Access.READ_WRITE);
    }

    /// Returns the layout of the area for a place's guest.
    ///
    /// @param dataBytes length of the data area, a multiple of the page size, within the guest's
    ///   quota
    static AreaLayout layoutOf(PvPlace place, long dataBytes) {
        return AreaLayout.of(
                place.kind().channelSlots(place.use().channels().mostOfOne()),
                SUBMISSION_ENTRIES,
                completionEntries(place.quotas()),
                dataBytes);
    }

    /// Allocates memory that reads as zeros.
    ///
    /// @throws LinuxException if Linux refuses the allocation
    static AreaMemory create(PvPlace place, AreaLayout layout) {
        MemFd file = MemFd.createSealed(place.memoryName(), layout.bytes());
        try {
            return new AreaMemory(layout, file, 0, true);
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    /// Clears and maps a part of a file.
    ///
    /// @param file file of the caller, open until this memory is closed
    /// @param offset start of the area, a multiple of the page size
    /// @throws LinuxException if Linux refuses the mapping
    static AreaMemory map(AreaLayout layout, MemFd file, long offset) {
        file.punchHole(offset, layout.bytes());
        return new AreaMemory(layout, file, offset, false);
    }

    AreaLayout layout() {
        return layout;
    }

    MemorySegment segment() {
        return mapping.segment();
    }

    /// Returns the descriptor of the file.
    int descriptor() {
        return file.descriptor();
    }

    /// Returns the offset of the area in the file.
    long offset() {
        return offset;
    }

    /// Releases the memory even if a guest keeps its descriptor or mapping: it then reads as zeros.
    /// Pages that the guest writes afterwards through its own mapping are charged to the guest.
    @Override
    public void close() {
        try {
            clear();
        } finally {
            mapping.close();
            if (ownsFile) {
                file.close();
            }
        }
    }

    /// Clears the memory, so that it reads as zeros through every mapping, and returns its pages to
    /// Linux.
    private void clear() {
        file.punchHole(offset, layout.bytes());
    }

    /// Returns the number of completion entries, at least the maximum number of unanswered
    /// commands.
    private static int completionEntries(PvQuotas quotas) {
        int unanswered = quotas.commandsInFlight() + quotas.waits() + 1;
        int entries = Integer.highestOneBit(unanswered - 1) << 1;
        return Math.clamp(entries, SUBMISSION_ENTRIES, AreaLayout.MAX_ENTRIES);
    }
}
