package io.gpuvm.guests.real;

import java.util.Map;

/// Process of a backend.
///
/// @param on processors of the host on which it runs
/// @param environment environment variables, in addition to those of this process
public record ServerProcess(HostProcessors on, Map<String, String> environment) {
    /// Process on all processors, with the environment of this process.
    public static final ServerProcess DEFAULT = new ServerProcess(HostProcessors.ALL, Map.of());

    public ServerProcess {
        environment = Map.copyOf(environment);
    }
}
