package io.gpuvm.top;

import io.gpuvm.counters.BackendSnapshot;
import java.util.List;

/// Backend in one frame.
///
/// @param path file of the counters
/// @param control control socket; null without one
/// @param state state by its heartbeats and its process
/// @param heartbeatAgeNs age of the oldest heartbeat, in nanoseconds
/// @param upMs time since its start, in milliseconds; until the last heartbeat if it has ended
public record TopBackend(
        String path,
        String control,
        String gpu,
        long pid,
        BackendSnapshot.State state,
        long heartbeatAgeNs,
        long upMs,
        long vramBytes,
        long vramFreeBytes,
        long residentBytes,
        List<TopEngine> engines,
        List<TopVm> vms) {
    /// Returns whether the backend's process exists.
    boolean isAlive() {
        return state == BackendSnapshot.State.SERVING || state == BackendSnapshot.State.HUNG;
    }
}
