package io.gpuvm.top;

import io.gpuvm.counters.BackendSnapshot;
import io.gpuvm.counters.BackendSnapshot.State;
import io.gpuvm.counters.CounterType;
import io.gpuvm.counters.CounterValues;
import io.gpuvm.counters.VmSnapshot;
import io.gpuvm.counters.WaitBuckets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Frames of two imaginary backends, from their counters.
final class Frames {
    static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long START_MS = 1_800_000_000_000L;
    private static final long MIB = 1L << 20;

    private Frames() {}

    /// Returns a backend with four virtual machines, after some intervals of one second in which
    /// one of them has more and more of the GPU.
    static TopBackend busy(State state) {
        BackendHistory history = new BackendHistory();
        TopBackend last = null;
        for (int second = 0; second <= 20; second++) {
            last = history.next(snapshot(second, state));
        }
        return last;
    }

    /// Returns a backend without virtual machines.
    static TopBackend empty() {
        BackendHistory history = new BackendHistory();
        history.next(snapshot(0, State.SERVING, 7, new CounterValues(), List.of()));
        return history.next(snapshot(1, State.SERVING, 7, new CounterValues(), List.of()));
    }

    static BackendSnapshot snapshot(int second, State state) {
        CounterValues engines = new CounterValues();
        long grown = 0;
        for (int i = 1; i <= second; i++) {
            grown += SECOND_NS * i / 40;
        }
        engines.put(CounterType.ENGINE_BUSY_NS, 0, second * SECOND_NS / 4 + grown);
        engines.put(CounterType.ENGINE_BUSY_NS, 1, second * SECOND_NS / 10);
        engines.put(CounterType.ENGINE_HOLDER, 0, 2);
        engines.put(CounterType.ENGINE_SINCE_NS, 0, second * SECOND_NS - 12_300_000);
        VmSnapshot web = vm("web", 1, "cuda", 3, 100, 512);
        web.values().put(CounterType.GPU_TIME_NS, 0, second * SECOND_NS / 4);
        web.values().put(CounterType.WAITING, 0, 3);
        web.values().put(CounterType.RING_ENTRIES, 0, second * 125_000L);
        web.values().put(CounterType.VRAM_USED_BYTES, 0, 384 * MIB);
        web.values().put(CounterType.SESSIONS, 0, 2);
        waits(web, second);
        VmSnapshot batch = vm("batch-of-a-very-long-name-0001", 2, "cuda", 1, 100, 4096);
        batch.values().put(CounterType.GPU_TIME_NS, 0, grown);
        batch.values().put(CounterType.RING_ENTRIES, 0, second * 9L);
        batch.values().put(CounterType.VRAM_USED_BYTES, 0, 4095 * MIB);
        batch.values().put(CounterType.SESSIONS, 0, 1);
        batch.values().put(CounterType.COMPLETED, 0, second * 14L);
        VmSnapshot desktop = vm("desktop", 3, "fv", 1, 10, 1024);
        desktop.values().put(CounterType.GPU_TIME_NS, 1, second * SECOND_NS / 10);
        desktop.values().put(CounterType.TRAP_READS, 0, second * 41_000L);
        desktop.values().put(CounterType.TRAP_WRITES, 0, second * 1_500L);
        desktop.values().put(CounterType.WAITING, 0, 1);
        desktop.values().put(CounterType.VRAM_USED_BYTES, 0, 1024 * MIB);
        desktop.values().put(CounterType.TRAP_REFUSALS, 3, second * 7L);
        VmSnapshot unused = vm("unused", 4, "pv", 1, 100, 256);
        return snapshot(second, state, 4711, engines, List.of(web, batch, desktop, unused));
    }

    static void waits(VmSnapshot vm, int count) {
        for (int i = 0; i < count; i++) {
            for (long ns : new long[] {20_000, 25_000, 30_000, 8_000_000}) {
                int bucket = WaitBuckets.of(ns);
                long before = vm.values().get(CounterType.WAITS, bucket);
                vm.values().put(CounterType.WAITS, bucket, before + 1);
            }
        }
    }

    static VmSnapshot vm(
            String name, long attachment, String mode, long weight, long cap, long vramMib) {
        VmSnapshot vm =
                new VmSnapshot(name, (int) attachment, mode, attachment, new CounterValues());
        vm.values().put(CounterType.WEIGHT, 0, weight);
        vm.values().put(CounterType.CAP_PERCENT, 0, cap);
        vm.values().put(CounterType.VRAM_LIMIT_BYTES, 0, vramMib * MIB);
        return vm;
    }

    static BackendSnapshot snapshot(
            int second, State state, long pid, CounterValues engines, List<VmSnapshot> vms) {
        CounterValues own = new CounterValues();
        own.put(CounterType.VRAM_BYTES, 0, 6144 * MIB);
        own.put(CounterType.VRAM_FREE_BYTES, 0, 256 * MIB);
        own.put(CounterType.RESIDENT_BYTES, 0, 310 * MIB);
        long nowNs = second * SECOND_NS;
        long ageNs = state == State.SERVING ? SECOND_NS / 2 : 12 * SECOND_NS;
        return new BackendSnapshot(
                Path.of("/run/gpuvm/counters.dat"),
                pid,
                state == State.SERVING || state == State.HUNG,
                START_MS,
                START_MS + 3_725_000 + second * 1000L,
                nowNs - ageNs,
                state == State.STOPPED,
                "soft",
                Path.of("/run/gpuvm/ctl"),
                START_MS + 3_725_000 + second * 1000L,
                nowNs,
                own,
                engines,
                new ArrayList<>(vms));
    }
}
