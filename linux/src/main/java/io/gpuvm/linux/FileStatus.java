package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Identity and length of an open file (statx(2)).
///
/// Two descriptors with the same `device` and `inode` refer to the same memory.
///
/// @param device major number in the upper half, minor number in the lower half
/// @param inode number of the file on that device
/// @param bytes length of the file at the time of the query
/// @param blockBytes block size of the file; for memory in huge pages, the size of a huge page
/// @param usedBytes memory or disk space of the file at the time of the query, in bytes
/// @param isRegular whether the file is regular: not a directory, socket, pipe or device
public record FileStatus(
        long device, long inode, long bytes, long blockBytes, long usedBytes, boolean isRegular) {
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_TYPE = 0x1;
    private static final int STATX_INO = 0x100;
    private static final int STATX_SIZE = 0x200;
    private static final int STATX_BLOCKS = 0x400;
    // struct statx of include/uapi/linux/stat.h
    private static final long BLKSIZE = 4;
    private static final long MODE = 28;
    private static final long INO = 32;
    private static final long SIZE = 40;
    private static final long BLOCKS = 48;
    private static final long DEV_MAJOR = 136;
    private static final long DEV_MINOR = 140;
    private static final long STATX_BYTES = 256;

    /// Unit of `stx_blocks`, independent of the file's block size.
    private static final long COUNTED_BLOCK_BYTES = 512;

    // file types of inode(7)
    private static final int S_IFMT = 0xf000;
    private static final int S_IFREG = 0x8000;

    /// Queries the status of an open file.
    public static FileStatus of(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(STATX_BYTES, Long.BYTES);
            long emptyPath = arena.allocateFrom("").address();
            int mask = STATX_TYPE | STATX_INO | STATX_SIZE | STATX_BLOCKS;
            if (Native.C.statx(descriptor, emptyPath, AT_EMPTY_PATH, mask, status.address()) != 0) {
                throw Native.failure("statx(" + descriptor + ")");
            }
            long major = status.get(ValueLayout.JAVA_INT, DEV_MAJOR);
            long minor = Integer.toUnsignedLong(status.get(ValueLayout.JAVA_INT, DEV_MINOR));
            return new FileStatus(
                    major << Integer.SIZE | minor,
                    status.get(ValueLayout.JAVA_LONG, INO),
                    status.get(ValueLayout.JAVA_LONG, SIZE),
                    Integer.toUnsignedLong(status.get(ValueLayout.JAVA_INT, BLKSIZE)),
                    status.get(ValueLayout.JAVA_LONG, BLOCKS) * COUNTED_BLOCK_BYTES,
                    (status.get(ValueLayout.JAVA_SHORT, MODE) & S_IFMT) == S_IFREG);
        }
    }

    /// Returns whether both objects describe the same file, regardless of its length.
    public boolean sameFile(FileStatus other) {
        return device == other.device && inode == other.inode;
    }
}
