package io.gpuvm.trap.vfiouser;

import java.nio.file.Path;

/// Program that serves a [FakeDevice] until it is killed, for measuring the transport from another
/// process.
final class FakeDeviceServer {
    private FakeDeviceServer() {}

    /// @param arguments path of the socket; `block` or `spin`
    public static void main(String[] arguments) {
        boolean spin = arguments[1].equals("spin");
        try (VfioUserServer server =
                VfioUserServer.listen(Path.of(arguments[0]), new FakeDevice())) {
            System.out.println("ready");
            while (true) {
                if (server.doWork() == 0) {
                    if (spin && server.connected()) {
                        Thread.onSpinWait();
                    } else {
                        server.parking().park(server);
                    }
                }
            }
        }
    }
}
