package io.gpuvm.guests.hostile.cuda;

import java.nio.file.Path;
import java.util.Random;
import java.util.function.LongSupplier;

/// Means of the parts of a run: the backend, and programs that connect to it. Confined to the run's
/// thread.
///
/// @param server backend, which a part may restart
/// @param programs programs in C
/// @param settings amount of work
/// @param residents returns the number of sessions of programs that stay in the virtual machine of
///   the hostile clients
record HostileGround(
        CudaServer server,
        CudaPrograms programs,
        HostileSettings settings,
        LongSupplier residents) {
    /// Returns random numbers for a part, the same in all runs with the same seed.
    ///
    /// @param name name of the part
    Random random(String name) {
        return new Random(settings.seed() * 31 + name.hashCode());
    }

    /// Returns the socket of the virtual machine of hostile clients.
    Path socket() {
        return server.socket(CudaServer.HOSTILE);
    }

    /// Opens a connected session of a hostile client.
    HostileSession connect() {
        return HostileSession.connect(socket());
    }

    /// Returns the number of sessions of hostile clients.
    long clients() {
        return server.openSessions(CudaServer.HOSTILE) - residents.getAsLong();
    }

    /// Waits until hostile clients have no more sessions than expected.
    ///
    /// @return whether this happens in time
    boolean awaitClients(long expected) throws InterruptedException {
        return Waiting.until(() -> clients() <= expected);
    }
}
