package io.gpuvm.linux;

import io.gpuvm.linux.MappedMemory.Access;
import java.lang.foreign.MemorySegment;

/// One file, mapped whole and once, however many ranges of a [FileSpace] show parts of it. Unmapped
/// when the last range lets go.
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

    /// Maps a file, for writing too if the descriptor allows it.
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

    /// Whether a range of `status`'s file that ends at byte `end` can be shown through this
    /// mapping.
    boolean serves(FileStatus status, long end, boolean mustWrite) {
        return file.sameFile(status)
                && end <= file.bytes()
                && (access == Access.READ_WRITE || !mustWrite);
    }

    MemorySegment segment() {
        return mapping.segment();
    }

    /// Length of the mapping.
    long bytes() {
        return file.bytes();
    }

    /// Whether an access may fail: somebody can make the file shorter under the mapping, or it lies
    /// in huge pages, of which there may be none left.
    boolean isFragile() {
        return fragile;
    }

    void retain() {
        users++;
    }

    /// @return true if nobody uses the mapping any more; it is gone then
    boolean release() {
        users--;
        if (users > 0) {
            return false;
        }
        mapping.close();
        return true;
    }
}
