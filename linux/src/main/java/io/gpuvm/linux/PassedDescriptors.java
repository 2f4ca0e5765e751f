package io.gpuvm.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Descriptors that a peer sends over a UNIX socket although nobody asked for any (unix(7),
/// SCM_RIGHTS).
///
/// The kernel drops descriptors that are not taken, on the thread that receives. Dropping the last
/// reference of a file can take as long as the peer likes: a TCP socket with unsent data lingers
/// (SO_LINGER). Closing a descriptor that was taken is worse, for FUSE asks its server first.
public final class PassedDescriptors {
    private static final int SOL_SOCKET = 1;

    /// Since Linux 6.16 (`include/uapi/asm-generic/socket.h`).
    private static final int SO_PASSRIGHTS = 83;

    private PassedDescriptors() {}

    /// Has the kernel refuse, on the peer's side, to send descriptors to a socket and to those that
    /// are accepted from it. Kernels that do not know this leave them as they are.
    ///
    /// @param socket the kernel's number
    /// @return whether the kernel knows it
    public static boolean refuse(int socket) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment off = arena.allocateFrom(ValueLayout.JAVA_INT, 0);
            return Native.C.setsockopt(
                            socket, SOL_SOCKET, SO_PASSRIGHTS, off.address(), Integer.BYTES)
                    == 0;
        }
    }
}
