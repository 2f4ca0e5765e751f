package io.gpuvm.linux;

/// Peers that may connect to a UNIX socket, in addition to this process's user and root: one user,
/// one group, both or neither. A listener gives its file to them ([UnixListener]), and the kernel's
/// report about each peer is compared with them.
///
/// @param uid user, or [#NONE]
/// @param gid group, or [#NONE]
public record SocketAccess(int uid, int gid) {
    /// Value that stands for no user or no group (chown(2)).
    public static final int NONE = -1;

    /// Access of this process's user and root only.
    public static final SocketAccess OWN_USER = new SocketAccess(NONE, NONE);

    private static final int ROOT = 0;

    /// Returns the reason for refusing a peer; null if it may connect.
    public String refusal(PeerCredentials peer) {
        int own = Native.C.geteuid();
        if (peer.uid() == ROOT
                || peer.uid() == own
                || peer.uid() == uid
                || gid != NONE && peer.isIn(gid)) {
            return null;
        }
        return "uid=%d gid=%d may not connect, expected uid %s%s"
                .formatted(
                        Integer.toUnsignedLong(peer.uid()),
                        Integer.toUnsignedLong(peer.gid()),
                        uid == NONE ? "%d".formatted(own) : "%d or %d".formatted(own, uid),
                        gid == NONE ? "" : ", or gid %d".formatted(gid));
    }
}
