package io.gpuvm.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Files whose pages the kernel makes by itself. An access to a mapping of such a file waits for
/// nobody: not for a process that serves a file system (FUSE), not for another computer and not for
/// a disk that another process chose.
///
/// Nothing here asks a file system that is not of these kinds: FUSE hands even statfs(2), statx(2)
/// and close(2) to its server.
public enum MemoryFile {
    /// memfd_create(2), and files on tmpfs such as those in `/dev/shm`.
    TMPFS(0x01021994L),

    /// memfd_create(2) with `MFD_HUGETLB`, and files on hugetlbfs. An access fails with
    /// [InternalError] while the system has no huge page left, whatever the file's seals are.
    HUGETLBFS(0x958458f6L);

    /// Names of the kinds, for a message that refuses another one.
    public static final String ACCEPTED = "memfd, tmpfs or hugetlbfs";

    private static final String UNKNOWN_FILE_SYSTEM = "one that is not mounted here";

    // struct statfs of include/uapi/asm-generic/statfs.h, on 64 bits
    private static final long STATFS_TYPE = 0;
    private static final long STATFS_BYTES = 120;

    // /proc/PID/fdinfo/N of proc(5)
    private static final String MOUNT_KEY = "mnt_id:";
    // /proc/PID/mountinfo of proc(5): mount ID first, file system's type behind the separator
    private static final String MOUNT_SEPARATOR = " - ";

    /// `f_type` of statfs(2), as `include/uapi/linux/magic.h` numbers it (`TMPFS_MAGIC`,
    /// `HUGETLBFS_MAGIC`).
    private final long magic;

    MemoryFile(long magic) {
        this.magic = magic;
    }

    /// Returns the kind of an open file, which another process may have sent.
    ///
    /// @return null if it is none of these, or not a regular file
    public static MemoryFile of(int descriptor) {
        // The kernel keeps seals for regular files of these two file systems and for no others, and
        // answers from the file's inode; all others must not be asked anything.
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

    /// Returns the name of the file system that an open file lies on, for a log line. Asks the
    /// kernel's list of mounts, and not the file system.
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
            // No /proc here, or no such descriptor: the name stays unknown.
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
