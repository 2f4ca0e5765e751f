package io.gpuvm.top;

import io.gpuvm.counters.BackendSnapshot;
import io.gpuvm.counters.CounterType;
import io.gpuvm.counters.Entitlement;
import io.gpuvm.counters.VmSnapshot;
import io.gpuvm.counters.WaitBuckets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/// Last snapshots of one backend, from which rates follow. Confined to one thread.
public final class BackendHistory {
    /// Number of intervals over which waits are summarized.
    private static final int WAIT_INTERVALS = 10;

    /// Number of intervals in a sparkline.
    static final int MOST_HISTORY = 60;

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double HALF = 50;
    private static final double NEARLY_ALL = 99;
    private static final double WHOLE_PERCENT = 100;

    /// Part of its cap from which a virtual machine with waiting commands counts as capped.
    private static final double NEARLY_CAPPED = 0.9;

    private final Deque<BackendSnapshot> last = new ArrayDeque<>();
    private final Map<String, List<Double>> series = new HashMap<>();

    /// Adds a snapshot and returns the frame at this moment.
    public TopBackend next(BackendSnapshot now) {
        BackendSnapshot before = last.peekLast();
        if (before != null && before.startMs() != now.startMs()) {
            // Another backend has taken the folder.
            last.clear();
            series.clear();
            before = null;
        }
        boolean moves = before != null && now.nowNs() > before.nowNs();
        List<TopEngine> engines = new ArrayList<>();
        for (int engine = 0; engine < CounterType.ENGINES.size(); engine++) {
            engines.add(engineOf(now, moves ? before : null, engine));
        }
        double[] entitlements = Entitlement.of(now.vms());
        List<TopVm> vms = new ArrayList<>();
        for (int i = 0; i < entitlements.length; i++) {
            VmSnapshot vm = now.vms().get(i);
            vms.add(vmOf(now, moves ? before : null, vm, entitlements[i]));
        }
        last.addLast(now);
        if (last.size() > WAIT_INTERVALS) {
            last.removeFirst();
        }
        return new TopBackend(
                String.valueOf(now.path()),
                now.control() == null ? null : now.control().toString(),
                now.gpu(),
                now.pid(),
                now.state(),
                now.heartbeatAgeNs(),
                Math.max(0, (isAlive(now) ? now.readMs() : now.heartbeatMs()) - now.startMs()),
                now.backend().get(CounterType.VRAM_BYTES),
                now.backend().get(CounterType.VRAM_FREE_BYTES),
                now.backend().get(CounterType.RESIDENT_BYTES),
                engines,
                vms);
    }

    private static boolean isAlive(BackendSnapshot now) {
        return now.isAlive() && !now.isStopped();
    }

    private TopEngine engineOf(BackendSnapshot now, BackendSnapshot before, int engine) {
        double utilization =
                before == null ? 0 : part(now.busyNs(engine) - before.busyNs(engine), now, before);
        VmSnapshot holder = isAlive(now) ? now.holder(engine) : null;
        String name = CounterType.ENGINES.get(engine);
        return new TopEngine(
                name,
                utilization,
                holder == null ? null : holder.name(),
                holder == null ? 0 : now.unchargedNs(engine),
                record("engine " + name, utilization, before != null));
    }

    private TopVm vmOf(
            BackendSnapshot now, BackendSnapshot before, VmSnapshot vm, double entitlement) {
        VmSnapshot earlier = before == null ? null : find(before, vm);
        double share = 0;
        for (int engine = 0; earlier != null && engine < CounterType.ENGINES.size(); engine++) {
            long used = usedNs(now, vm, engine) - usedNs(before, earlier, engine);
            share = Math.max(share, part(used, now, before));
        }
        VmSnapshot oldest = last.isEmpty() ? null : find(last.peekFirst(), vm);
        return new TopVm(
                vm.name(),
                vm.mode(),
                vm.attachment(),
                vm.values().get(CounterType.WEIGHT),
                vm.values().get(CounterType.CAP_PERCENT),
                entitlement,
                share,
                now.gpuTimeNs(vm),
                rate(now, before, vm, earlier, each -> each.values().sum(CounterType.COMPLETED)),
                vm.values().get(CounterType.WAITING),
                waitNs(vm, oldest, HALF),
                waitNs(vm, oldest, NEARLY_ALL),
                vm.values().get(CounterType.VRAM_USED_BYTES),
                vm.values().get(CounterType.VRAM_LIMIT_BYTES),
                rate(now, before, vm, earlier, VmSnapshot::traps),
                rate(now, before, vm, earlier, each -> each.values().get(CounterType.RING_ENTRIES)),
                rate(now, before, vm, earlier, VmSnapshot::refusals),
                vm.values().get(CounterType.KILLS),
                vm.values().get(CounterType.FAULTS),
                vm.sessions(),
                stateOf(now, vm, share),
                record("vm " + vm.attachment(), share, earlier != null));
    }

    private static String stateOf(BackendSnapshot now, VmSnapshot vm, double share) {
        if (!isAlive(now)) {
            return "-";
        }
        for (int engine = 0; engine < CounterType.ENGINES.size(); engine++) {
            if (now.engines().get(CounterType.ENGINE_HOLDER, engine) == vm.attachment()) {
                return "running";
            }
        }
        if (vm.values().get(CounterType.WAITING) > 0) {
            double cap = vm.values().get(CounterType.CAP_PERCENT) / WHOLE_PERCENT;
            return cap < 1 && share >= NEARLY_CAPPED * cap ? "capped" : "waiting";
        }
        boolean hasPrograms = vm.mode().equals("pv") || vm.mode().equals("cuda");
        return hasPrograms && vm.sessions() == 0 ? "no guest" : "idle";
    }

    private static long usedNs(BackendSnapshot at, VmSnapshot vm, int engine) {
        boolean holds = at.engines().get(CounterType.ENGINE_HOLDER, engine) == vm.attachment();
        return vm.values().get(CounterType.GPU_TIME_NS, engine)
                + (holds ? at.unchargedNs(engine) : 0);
    }

    private static long waitNs(VmSnapshot vm, VmSnapshot oldest, double percent) {
        long recent =
                oldest == null
                        ? 0
                        : WaitBuckets.percentile(
                                bucket ->
                                        vm.values().get(CounterType.WAITS, bucket)
                                                - oldest.values().get(CounterType.WAITS, bucket),
                                percent);
        return recent > 0 ? recent : vm.waitNs(percent);
    }

    private static VmSnapshot find(BackendSnapshot in, VmSnapshot vm) {
        return in.vms().stream()
                .filter(each -> each.attachment() == vm.attachment())
                .findAny()
                .orElse(null);
    }

    private static double rate(
            BackendSnapshot now,
            BackendSnapshot before,
            VmSnapshot vm,
            VmSnapshot earlier,
            ToLongFunction<VmSnapshot> what) {
        if (earlier == null) {
            return 0;
        }
        long count = what.applyAsLong(vm) - what.applyAsLong(earlier);
        return Math.max(0, count * NANOS_PER_SECOND / (now.nowNs() - before.nowNs()));
    }

    /// Returns a time as a part of an interval. Charges and clocks differ slightly, so the result
    /// is limited to 0 to 1.
    private static double part(long ns, BackendSnapshot now, BackendSnapshot before) {
        return Math.clamp((double) ns / (now.nowNs() - before.nowNs()), 0, 1);
    }

    private List<Double> record(String key, double value, boolean isKnown) {
        List<Double> values = series.computeIfAbsent(key, _ -> new ArrayList<>());
        if (isKnown) {
            values.add(value);
            if (values.size() > MOST_HISTORY) {
                values.removeFirst();
            }
        }
        return List.copyOf(values);
    }
}
