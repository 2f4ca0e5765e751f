package io.gpuvm.counters;

import java.util.List;

/// Counters of one virtual machine at one moment.
///
/// @param name name of the virtual machine, printable ASCII
/// @param slot number in the backend
/// @param mode how its guests use the GPU, one of [#MODES]
/// @param attachment number of the attachment, unique in the backend
public record VmSnapshot(
        String name, int slot, String mode, long attachment, CounterValues values) {
    /// Modes by their number in the file.
    public static final List<String> MODES = List.of("passthrough", "fv", "pv", "cuda");

    static VmSnapshot of(CounterKey key) {
        boolean known = key.mode() >= 0 && key.mode() < MODES.size();
        return new VmSnapshot(
                key.name(),
                key.slot(),
                known ? MODES.get(key.mode()) : "?",
                key.attachment(),
                new CounterValues());
    }

    /// Returns a percentile of the waiting times, in nanoseconds; 0 if no command has started.
    ///
    /// @param percent 0 to 100
    public long waitNs(double percent) {
        return WaitBuckets.percentile(bucket -> values.get(CounterType.WAITS, bucket), percent);
    }

    /// Returns the number of trapped accesses.
    public long traps() {
        return values.sum(CounterType.TRAP_READS) + values.sum(CounterType.TRAP_WRITES);
    }

    /// Returns the number of refused messages, ring entries and clients.
    public long refusals() {
        return values.sum(CounterType.TRAP_REFUSALS)
                + values.get(CounterType.RING_FAILURES)
                + values.get(CounterType.REFUSED_CLIENTS);
    }

    /// Returns the number of guests that have sessions now.
    public long sessions() {
        return values.get(CounterType.SESSIONS);
    }
}
