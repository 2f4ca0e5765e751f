package io.gpuvm.linux;

import io.gpuvm.linux.MappedMemory.Access;
import java.lang.foreign.MemorySegment;

/// Mapping of a whole file, shared by all ranges of a [FileSpace] that show parts of the file.
/// Unmapped when the last range releases it.
final class MappedFile {
    private final FileStatus file;
    private final Access access;
    private final MappedMemory mapping;
    private final boolean fragile;
    private int users;

    private MappedFile(FileStatus file, Access access, MappedMemory mapping, boolean fragile) {
        this.file = file;
        this.access = access;
        this.mapping = mapping;
        this.fragile = fragile;
    }

    /// Maps a file, writable if the descriptor allows it.
    static MappedFile map(int descriptor, FileStatus file, boolean mustWrite) {
        try {
            return map(descriptor, file, Access.READ_WRITE);
        } catch (LinuxException e) {
            if (mustWrite) {
                throw e;
            }
            return map(descriptor, file, Access.READ_ONLY);
        }
    }

    private static MappedFile map(int descriptor, FileStatus file, Access access) {
        boolean fragile =
                MemoryFile.of(descriptor) == MemoryFile.HUGETLBFS
                        || !Seal.of(descriptor).contains(Seal.SHRINK);
        MappedMemory mapping = MappedMemory.map(descriptor, 0, file.bytes(), access);
        return new MappedFile(file, access, mapping, fragile);
    }

    /// Returns whether this mapping can show a range of `status`'s file that ends at byte `end`.
    boolean serves(FileStatus status, long end, boolean mustWrite) {
        return file.sameFile(status)
                && end <= file.bytes()
                && (access == Access.READ_WRITE || !mustWrite);
    }

    MemorySegment segment() {
        return mapping.segment();
    }

    /// Returns the length of the mapping.
    long bytes() {
        return file.bytes();
    }

    /// Returns whether an access may fail, because another process can truncate the file, or
    /// because the file uses huge pages, which may be exhausted.
    boolean isFragile() {
        return fragile;
    }

    void retain() {
        users++;
    }

    /// @return whether the last user has released the mapping; the file is then unmapped
    boolean release() {
        users--;
        if (users > 0) {
            return false;
        }
        mapping.close();
        return true;
    }
}
