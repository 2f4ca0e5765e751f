package io.gpuvm.pv.host;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MemFd;
import io.gpuvm.pv.protocol.AreaLayout;

/// Memory of the BAR that shows the shared areas of all sessions to one machine, in one file.
/// Occupies no memory except the pages that a session or the machine has touched.
final class MachineMemory implements AutoCloseable {
    /// Alignment of each area: a multiple of the GPU's page sizes, as of the data area in an area.
    private static final long ALIGNMENT = 1L << 21;

    private final AreaLayout layout;
    private final MemFd file;

    private MachineMemory(AreaLayout layout, MemFd file) {
        this.layout = layout;
        this.file = file;
    }

    /// Allocates the memory of a machine that has connected.
    ///
    /// @param layout layout of each session's area
    /// @throws LinuxException if Linux refuses the allocation
    static MachineMemory create(PvPlace place, AreaLayout layout) {
        long bytes = startOf(layout, place.quotas().sessions());
        return new MachineMemory(layout, MemFd.createSealed(place.memoryName(), bytes));
    }

    /// Returns the offset of a session's area.
    static long startOf(AreaLayout layout, int session) {
        return session * (layout.bytes() + ALIGNMENT - 1 & -ALIGNMENT);
    }

    int descriptor() {
        return file.descriptor();
    }

    /// Returns the area of a session, cleared. The caller closes it before this memory.
    ///
    /// @throws LinuxException if Linux refuses the mapping
    AreaMemory area(int session) {
        return AreaMemory.map(layout, file, startOf(layout, session));
    }

    /// Releases the memory even if the machine keeps its descriptor or mapping.
    @Override
    public void close() {
        try {
            file.punchHole(0, file.bytes());
        } finally {
            file.close();
        }
    }
}
