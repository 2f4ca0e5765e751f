package io.gpuvm.replay;

import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.record.RecordView;

/// Memory of a replayed guest: a file as long as the guest's mapped memory, empty except for
/// recorded parts. Confined to one thread.
final class ReplayedMemory implements AutoCloseable {
    private static final long PAGE_BYTES = 4096;

    private final MemFd file;
    private final MappedMemory mapping;

    /// @param bytes length; 0 for a guest without memory
    ReplayedMemory(long bytes) {
        long length = Math.max(bytes + PAGE_BYTES - 1 & -PAGE_BYTES, PAGE_BYTES);
        file = MemFd.create("gpuvm-replay", length);
        try {
            mapping =
                    MappedMemory.map(file.descriptor(), 0, length, MappedMemory.Access.READ_WRITE);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    int descriptor() {
        return file.descriptor();
    }

    /// Writes recorded memory to its address.
    ///
    /// @throws ReplayException if the address lies outside the guest's memory
    void write(RecordView memory) {
        long at = memory.guestPhys();
        if (at < 0 || at > file.bytes() - memory.dataBytes()) {
            throw new ReplayException(
                    "guest memory address=%#x bytes=%d, limit=%#x"
                            .formatted(at, memory.dataBytes(), file.bytes()));
        }
        memory.copyData(mapping.segment(), at);
    }

    @Override
    public void close() {
        mapping.close();
        file.close();
    }
}
