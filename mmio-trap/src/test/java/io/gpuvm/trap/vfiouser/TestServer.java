package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.agent.Parkable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A server with a [FakeDevice], run by the test's thread, and the clients of a test.
final class TestServer implements AutoCloseable {
    /// Parks for no time.
    static final Parkable LOOK =
            new Parkable() {
                @Override
                public boolean mayPark() {
                    return true;
                }

                @Override
                public long nanosUntilWork() {
                    return 0;
                }
            };

    private static final int IDLE_TURNS = 100;

    private final Path directory = temporaryDirectory();
    private final FakeDevice device;
    private final VfioUserServer server;

    TestServer(FakeDevice device) {
        this.device = device;
        server = VfioUserServer.listen(directory.resolve("socket"), device);
    }

    TestServer() {
        this(new FakeDevice());
    }

    FakeDevice device() {
        return device;
    }

    VfioUserServer server() {
        return server;
    }

    /// Looks at what only a server that parks looks at.
    void look() {
        server.parking().park(LOOK);
    }

    TrapCounters counters() {
        return server.counters();
    }

    /// A client that has connected and said nothing.
    RawVfioUserClient connect() {
        return new RawVfioUserClient(server.socket(), server::doWork);
    }

    /// A client that has negotiated. The calls of the device so far are forgotten.
    RawVfioUserClient client() {
        RawVfioUserClient client = connect().negotiate();
        device.takeCalls();
        return client;
    }

    /// Lets the server work until it has nothing to do. A message that comes in many pieces lets it
    /// do nothing many times.
    void settle() {
        int idle = 0;
        while (idle < IDLE_TURNS) {
            idle = server.doWork() == 0 ? idle + 1 : 0;
        }
    }

    @Override
    public void close() {
        server.close();
        try {
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("gpuvm");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
