package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What identifies an open file, and how long it is (statx(2)).
///
/// Two descriptors with the same `device` and `inode` are the same memory.
///
/// @param device major number in the upper, minor number in the lower half
/// @param inode number of the file on that device
/// @param bytes length of the file when it was asked for
/// @param blockBytes size of the blocks that the file comes in; for memory in huge pages, a page's
public record FileStatus(long device, long inode, long bytes, long blockBytes) {
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_INO = 0x100;
    private static final int STATX_SIZE = 0x200;
    // struct statx of include/uapi/linux/stat.h
    private static final long BLKSIZE = 4;
    private static final long INO = 32;
    private static final long SIZE = 40;
    private static final long DEV_MAJOR = 136;
    private static final long DEV_MINOR = 140;
    private static final long STATX_BYTES = 256;

    /// Asks the kernel.
    public static FileStatus of(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(STATX_BYTES, Long.BYTES);
            long emptyPath = arena.allocateFrom("").address();
            int mask = STATX_INO | STATX_SIZE;
            if (Native.C.statx(descriptor, emptyPath, AT_EMPTY_PATH, mask, status.address()) != 0) {
                throw Native.failure("statx(" + descriptor + ")");
            }
            long major = status.get(ValueLayout.JAVA_INT, DEV_MAJOR);
            long minor = Integer.toUnsignedLong(status.get(ValueLayout.JAVA_INT, DEV_MINOR));
            return new FileStatus(
                    major << Integer.SIZE | minor,
                    status.get(ValueLayout.JAVA_LONG, INO),
                    status.get(ValueLayout.JAVA_LONG, SIZE),
                    Integer.toUnsignedLong(status.get(ValueLayout.JAVA_INT, BLKSIZE)));
        }
    }

    /// Whether both are the same file, whatever their lengths were.
    public boolean sameFile(FileStatus other) {
        return device == other.device && inode == other.inode;
    }
}
