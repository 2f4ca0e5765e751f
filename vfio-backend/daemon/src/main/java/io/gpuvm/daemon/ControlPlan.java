package io.gpuvm.daemon;

import io.gpuvm.linux.SocketAccess;
import java.nio.file.Path;

/// Control socket of a backend, and the requests that it accepts.
///
/// @param socket path of the socket
/// @param access group whose processes may connect, in addition to the backend's user and root
/// @param overcommits whether the caps of all virtual machines together may exceed 100 percent of
///   the GPU
public record ControlPlan(Path socket, SocketAccess access, boolean overcommits) {
    private static final int WHOLE_GPU = 100;

    /// Creates a plan for the backend's user, without a limit of the caps.
    public ControlPlan(Path socket) {
        this(socket, SocketAccess.OWN_USER, true);
    }

    /// Throws [ConfigException] if the caps of all virtual machines together exceed the whole GPU,
    /// and the backend does not permit that.
    ///
    /// @param sum sum of the caps in percent; no cap counts as 100
    void checkCaps(int sum) {
        if (!overcommits && sum > WHOLE_GPU) {
            throw new ConfigException(
                    "--overcommit no: the sum of all caps would be %d percent, limit=%d (no cap counts as 100)"
                            .formatted(sum, WHOLE_GPU));
        }
    }

    /// Returns the folder of the sockets of virtual machines that name none.
    public Path folder() {
        return socket.toAbsolutePath().normalize().getParent();
    }
}
