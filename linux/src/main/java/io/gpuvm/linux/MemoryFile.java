package io.gpuvm.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Kinds of files whose pages the kernel alone supplies. An access to a mapping of such a file
/// never waits for a process that serves a file system (FUSE), for another computer, or for a disk
/// that another process has chosen.
///
/// No method calls a file system of another kind, because FUSE forwards even statfs(2), statx(2)
/// and close(2) to its server.
public enum MemoryFile {
    /// Files of memfd_create(2), and files on tmpfs, such as those in `/dev/shm`.
    TMPFS(0x01021994L),

    /// Files of memfd_create(2) with `MFD_HUGETLB`, and files on hugetlbfs. An access fails with
    /// [InternalError] if the system has no free huge page, regardless of the file's seals.
    HUGETLBFS(0x958458f6L);

    /// Names of the accepted kinds, for error messages.
    public static final String ACCEPTED = "memfd, tmpfs or hugetlbfs";

    private static final String UNKNOWN_FILE_SYSTEM = "unknown, not mounted in this namespace";

    // struct statfs of include/uapi/asm-generic/statfs.h, 64-bit
    private static final long STATFS_TYPE = 0;
    private static final long STATFS_BYTES = 120;

    // /proc/PID/fdinfo/N of proc(5)
    private static final String MOUNT_KEY = "mnt_id:";
    // /proc/PID/mountinfo of proc(5): mount ID first, file system's type after the separator
    private static final String MOUNT_SEPARATOR = " - ";

    /// Value of `f_type` in statfs(2), from `include/uapi/linux/magic.h` (`TMPFS_MAGIC`,
    /// `HUGETLBFS_MAGIC`).
    private final long magic;

    MemoryFile(long magic) {
        this.magic = magic;
    }

    /// Returns the kind of an open file, which another process may have sent.
    ///
    /// @return null if the file is of another kind, or not regular
    public static MemoryFile of(int descriptor) {
        // Other file systems must not be called. The kernel supports seals only for regular files
        // on these two, and reads the seals from the inode without calling the file system.
        if (!Seal.areKept(descriptor)) {
            return null;
        }
        if (!FileStatus.of(descriptor).isRegular()) {
            return null;
        }
        long type = fileSystemMagic(descriptor);
        for (MemoryFile kind : values()) {
            if (kind.magic == type) {
                return kind;
            }
        }
        return null;
    }

    /// Returns the name of the file system of an open file, for a log line. Reads the kernel's list
    /// of mounts and does not call the file system.
    public static String fileSystemOf(int descriptor) {
        Path self = Path.of("/proc/self");
        try {
            String mount = mountOf(Files.readAllLines(self.resolve("fdinfo/" + descriptor)));
            for (String line : Files.readAllLines(self.resolve("mountinfo"))) {
                int separator = line.indexOf(MOUNT_SEPARATOR);
                if (separator > 0 && line.startsWith(mount + " ")) {
                    String type = line.substring(separator + MOUNT_SEPARATOR.length());
                    return type.substring(0, type.indexOf(' '));
                }
            }
        } catch (IOException _) {
            // Without /proc, or for an invalid descriptor, the name is unknown.
        }
        return UNKNOWN_FILE_SYSTEM;
    }

    private static String mountOf(List<String> fdInfo) {
        for (String line : fdInfo) {
            if (line.startsWith(MOUNT_KEY)) {
                return line.substring(MOUNT_KEY.length()).strip();
            }
        }
        return "";
    }

    private static long fileSystemMagic(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(STATFS_BYTES, Long.BYTES);
            if (Native.C.fstatfs(descriptor, answer.address()) != 0) {
                throw Native.failure("fstatfs(" + descriptor + ")");
            }
            return answer.get(ValueLayout.JAVA_LONG, STATFS_TYPE);
        }
    }
}
