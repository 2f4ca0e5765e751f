package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Credentials of the process at the other end of a UNIX socket, at the time of its connection, as
/// the kernel reports them (unix(7), SO_PEERCRED and SO_PEERGROUPS).
///
/// @param pid process
/// @param uid user
/// @param gid group
/// @param groups supplementary groups
public record PeerCredentials(int pid, int uid, int gid, int[] groups) {
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int SO_PEERGROUPS = 59;

    // struct ucred
    private static final long PID = 0;
    private static final long UID = 4;
    private static final long GID = 8;
    private static final int UCRED_BYTES = 12;

    /// Maximum number of supplementary groups that are considered; a process with more of them
    /// counts as a process without supplementary groups.
    private static final int MOST_GROUPS = 1024;

    /// Returns the credentials of a connection's peer.
    ///
    /// @param socket descriptor number of the connection
    /// @throws LinuxException if the kernel does not report them
    static PeerCredentials of(int socket) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ucred = arena.allocate(UCRED_BYTES, Integer.BYTES);
            MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, UCRED_BYTES);
            if (Native.C.getsockopt(
                            socket, SOL_SOCKET, SO_PEERCRED, ucred.address(), length.address())
                    != 0) {
                throw Native.failure("getsockopt(SO_PEERCRED)");
            }
            return new PeerCredentials(
                    ucred.get(ValueLayout.JAVA_INT, PID),
                    ucred.get(ValueLayout.JAVA_INT, UID),
                    ucred.get(ValueLayout.JAVA_INT, GID),
                    groupsOf(socket, arena));
        }
    }

    /// Returns whether a group is the process's group or one of its supplementary groups.
    boolean isIn(int group) {
        for (int one : groups) {
            if (one == group) {
                return true;
            }
        }
        return gid == group;
    }

    private static int[] groupsOf(int socket, Arena arena) {
        int bytes = MOST_GROUPS * Integer.BYTES;
        MemorySegment list = arena.allocate(bytes, Integer.BYTES);
        MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, bytes);
        if (Native.C.getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, list.address(), length.address())
                != 0) {
            return new int[0];
        }
        long used = length.get(ValueLayout.JAVA_INT, 0);
        return list.asSlice(0, used).toArray(ValueLayout.JAVA_INT);
    }
}
