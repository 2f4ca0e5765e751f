package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.agent.Parkable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Server of a [FakeDevice] on the test's thread, and factory of the test's clients.
final class TestServer implements AutoCloseable {
    /// Parkable with a wait of 0 ns: parking polls the events and returns immediately.
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

    /// Polls the events that only a parking server polls.
    void look() {
        server.parking().park(LOOK);
    }

    TrapCounters counters() {
        return server.counters();
    }

    /// Returns a client that has connected and sent no message.
    RawVfioUserClient connect() {
        return new RawVfioUserClient(server.socket(), server::doWork);
    }

    /// Returns a client that has negotiated the version. Discards the calls that the device has
    /// recorded.
    RawVfioUserClient client() {
        RawVfioUserClient client = connect().negotiate();
        device.takeCalls();
        return client;
    }

    /// Runs the server until it has been idle several times in succession, because it may be idle
    /// between two parts of a message.
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
