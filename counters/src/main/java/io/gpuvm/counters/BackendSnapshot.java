package io.gpuvm.counters;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Counters of a backend at one moment.
///
/// @param path file; null if the counters are in no file
/// @param isAlive whether the backend's process exists on this host; in another PID namespace,
///   whether its last heartbeat is recent
/// @param startMs start of the backend, in milliseconds since 1970
/// @param heartbeatMs last heartbeat, in milliseconds since 1970
/// @param heartbeatNs last heartbeat, in nanoseconds of the host's monotonic clock
/// @param isStopped whether the backend has ended in the usual way
/// @param gpu name of the GPU, printable ASCII
/// @param control path of the control socket; null without one
/// @param readMs time of the reading, in milliseconds since 1970
/// @param readNs time of the reading, in nanoseconds of the host's monotonic clock
/// @param vms virtual machines in the order of their attachments
public record BackendSnapshot(
        Path path,
        long pid,
        boolean isAlive,
        long startMs,
        long heartbeatMs,
        long heartbeatNs,
        boolean isStopped,
        String gpu,
        Path control,
        long readMs,
        long readNs,
        CounterValues backend,
        CounterValues engines,
        List<VmSnapshot> vms) {
    /// Age of a heartbeat from which a backend counts as hung. Heartbeats occur every second.
    public static final Duration HUNG_AFTER = Duration.ofSeconds(5);

    /// State of a backend, from its heartbeats and its process.
    public enum State {
        /// Its process runs, and all its loops proceed.
        SERVING,
        /// Its process exists, but a heartbeat is too old.
        HUNG,
        /// It has ended in the usual way.
        STOPPED,
        /// Its process has ended without closing the file.
        DEAD
    }

    /// Returns the state of the backend.
    public State state() {
        if (isStopped) {
            return State.STOPPED;
        }
        if (!isAlive) {
            return State.DEAD;
        }
        return heartbeatAgeNs() > HUNG_AFTER.toNanos() ? State.HUNG : State.SERVING;
    }

    /// Returns the virtual machine whose command has an engine; null if it is free.
    public VmSnapshot holder(int engine) {
        long attachment = engines.get(CounterType.ENGINE_HOLDER, engine);
        return vms.stream().filter(vm -> vm.attachment() == attachment).findAny().orElse(null);
    }

    /// Returns the time for which the holder of an engine has used it without being charged, in
    /// nanoseconds; 0 if the engine is free, or if the backend has ended.
    public long unchargedNs(int engine) {
        boolean runs = engines.get(CounterType.ENGINE_HOLDER, engine) != 0 && !isStopped;
        return runs ? Math.max(0, nowNs() - engines.get(CounterType.ENGINE_SINCE_NS, engine)) : 0;
    }

    /// Returns the used time of an engine, with that of the running command, in nanoseconds.
    public long busyNs(int engine) {
        return engines.get(CounterType.ENGINE_BUSY_NS, engine) + unchargedNs(engine);
    }

    /// Returns the GPU time of a virtual machine, with that of its running commands, in
    /// nanoseconds.
    public long gpuTimeNs(VmSnapshot vm) {
        long sum = vm.values().sum(CounterType.GPU_TIME_NS);
        for (int engine = 0; engine < CounterType.ENGINES.size(); engine++) {
            if (engines.get(CounterType.ENGINE_HOLDER, engine) == vm.attachment()) {
                sum += unchargedNs(engine);
            }
        }
        return sum;
    }

    /// Returns the moment for which the counters hold, in nanoseconds of the monotonic clock: that
    /// of the reading, or of the last heartbeat of a process that has ended.
    public long nowNs() {
        return isAlive && !isStopped ? readNs : heartbeatNs;
    }

    /// Returns the age of the oldest heartbeat of the backend and its loops, in nanoseconds.
    public long heartbeatAgeNs() {
        long age = readNs - heartbeatNs;
        for (CounterType loop : List.of(CounterType.OWNER_ALIVE_NS, CounterType.POLLER_ALIVE_NS)) {
            long aliveNs = backend.get(loop);
            age = aliveNs == 0 ? age : Math.max(age, readNs - aliveNs);
        }
        return Math.max(0, age);
    }
}
