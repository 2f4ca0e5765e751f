package io.gpuvm.guests.real;

import java.util.Map;

/// Settings of a backend's process.
///
/// @param on processors of the host on which the process runs
/// @param environment environment variables, in addition to those of this process
public record ServerProcess(HostProcessors on, Map<String, String> environment) {
    /// Settings of a process that runs on all processors, with the environment of this process.
    public static final ServerProcess DEFAULT = new ServerProcess(HostProcessors.ALL, Map.of());

    public ServerProcess {
        environment = Map.copyOf(environment);
    }
}
