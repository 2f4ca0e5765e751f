package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Shared mapping of a file (mmap(2)), usable by all threads until [#close()], unless noted.
///
/// Only this class of the module converts an address to a [MemorySegment]. The segment has exactly
/// the length of the mapping. Accesses after [#close()] throw [IllegalStateException], so they
/// cannot reach memory that is mapped at the same address later.
///
/// If a process truncates the file, accesses to the truncated part throw [InternalError].
public final class MappedMemory implements AutoCloseable {
    /// Allowed accesses to the mapping.
    public enum Access {
        READ_ONLY(PROT_READ),
        READ_WRITE(PROT_READ | PROT_WRITE);

        private final int protection;

        Access(int protection) {
            this.protection = protection;
        }
    }

    private static final int PROT_READ = 0x1;
    private static final int PROT_WRITE = 0x2;
    private static final int MAP_SHARED = 0x01;
    private static final int MAP_NORESERVE = 0x4000;
    private static final long MAP_FAILED = -1;

    private final Arena arena;
    private final MemorySegment segment;

    @SuppressWarnings("restricted")
    private MappedMemory(long start, long bytes, Access access) {
        arena = Arena.ofShared();
        MemorySegment mapped =
                MemorySegment.ofAddress(start)
                        .reinterpret(bytes, arena, _ -> Native.C.munmap(start, bytes));
        segment = access == Access.READ_ONLY ? mapped.asReadOnly() : mapped;
    }

    @SuppressWarnings("restricted")
    private MappedMemory(MemorySegment part, Arena arena) {
        this.arena = arena;
        MemorySegment view =
                MemorySegment.ofAddress(part.address()).reinterpret(part.byteSize(), arena, null);
        segment = part.isReadOnly() ? view.asReadOnly() : view;
    }

    /// Maps a part of a file. The descriptor may be closed afterwards.
    ///
    /// @param offset start of the part, in bytes, a multiple of the page size
    /// @param bytes length of the part, greater than 0
    public static MappedMemory map(int descriptor, long offset, long bytes, Access access) {
        int flags = MAP_SHARED | MAP_NORESERVE;
        long start = Native.C.mmap(0, bytes, access.protection, flags, descriptor, offset, 0);
        if (start == MAP_FAILED) {
            throw Native.failure(
                    "mmap(descriptor %d, offset %#x, %#x bytes)"
                            .formatted(descriptor, offset, bytes));
        }
        return new MappedMemory(start, bytes, access);
    }

    /// Returns a part that can be closed separately: afterwards, accesses to the part's segment
    /// throw, and the whole mapping stays mapped. The caller closes all parts before the mapping.
    ///
    /// @param offset start of the part, in bytes
    /// @param bytes length of the part, greater than 0
    public MappedMemory part(long offset, long bytes) {
        return new MappedMemory(segment.asSlice(offset, bytes), Arena.ofShared());
    }

    /// Returns a part as [#part] does, for the calling thread only, which also closes it. Closing
    /// such a part is cheap: other threads need not be checked for accesses.
    ///
    /// @param offset start of the part, in bytes
    /// @param bytes length of the part, greater than 0
    public MappedMemory ownPart(long offset, long bytes) {
        return new MappedMemory(segment.asSlice(offset, bytes), Arena.ofConfined());
    }

    /// Returns the mapping, from its first to its last byte.
    public MemorySegment segment() {
        return segment;
    }

    /// Unmaps the memory. Call this method once, after all threads have finished their accesses.
    @Override
    public void close() {
        arena.close();
    }
}
