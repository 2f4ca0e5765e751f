package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;

/// Host memory of one session's front end, which the GPU can access, and which is not shared with
/// the client. Created and closed on the reception's thread.
final class PrivateMemory implements AutoCloseable {
    private final MemFd file;
    private final MappedMemory mapping;

    private PrivateMemory(MemFd file) {
        this.file = file;
        mapping =
                MappedMemory.map(
                        file.descriptor(), 0, file.bytes(), MappedMemory.Access.READ_WRITE);
    }

    /// Allocates memory that reads as zeros. Pages that are never touched cost nothing.
    ///
    /// @param bytes length, a multiple of the page size
    /// @throws io.gpuvm.linux.LinuxException if Linux refuses the allocation
    static PrivateMemory create(PvPlace place, long bytes) {
        MemFd file = MemFd.createSealed(place.memoryName(), bytes);
        try {
            return new PrivateMemory(file);
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    long bytes() {
        return file.bytes();
    }

    /// Returns the mapping in this process.
    MappedMemory mapping() {
        return mapping;
    }

    /// Returns the mapping for the GPU.
    ///
    /// @param guestPhysical address of the memory, of which the place's bus addresses consist
    DmaMapping dmaMapping(long guestPhysical) {
        return new DmaMapping(file.descriptor(), 0, bytes(), guestPhysical, true);
    }

    @Override
    public void close() {
        mapping.close();
        file.close();
    }
}
