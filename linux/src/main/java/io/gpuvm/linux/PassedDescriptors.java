package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Unsolicited descriptors that a peer sends over a UNIX socket (unix(7), SCM_RIGHTS).
///
/// The kernel drops descriptors that the receiver does not accept, on the receiving thread.
/// Dropping the last reference to a file can take as long as the peer chooses: for example, a TCP
/// socket with unsent data lingers (SO_LINGER). Closing an accepted descriptor can take even
/// longer, because FUSE first calls its server.
public final class PassedDescriptors {
    private static final int SOL_SOCKET = 1;

    /// Socket option since Linux 6.16 (`include/uapi/asm-generic/socket.h`).
    private static final int SO_PASSRIGHTS = 83;

    private PassedDescriptors() {}

    /// Makes the kernel refuse descriptors on the peer's side, for a socket and for connections
    /// that the socket accepts. No effect before Linux 6.16.
    ///
    /// @param socket descriptor number
    /// @return whether the kernel supports the option
    public static boolean refuse(int socket) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment off = arena.allocateFrom(ValueLayout.JAVA_INT, 0);
            return Native.C.setsockopt(
                            socket, SOL_SOCKET, SO_PASSRIGHTS, off.address(), Integer.BYTES)
                    == 0;
        }
    }
}
