package io.gpuvm.metrics;

import io.gpuvm.counters.BackendSnapshot;
import io.gpuvm.counters.CounterType;
import io.gpuvm.counters.CounterValues;
import io.gpuvm.counters.Entitlement;
import io.gpuvm.counters.VmSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.concurrent.TimeUnit;

/// Metrics of a backend's counters, by Prometheus's conventions: base units, and labels of which
/// each has few values (virtual machines, engines, and fixed words).
///
/// Pure function.
final class BackendMetrics {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double MILLIS_PER_SECOND = TimeUnit.SECONDS.toMillis(1);
    private static final double WHOLE_PERCENT = 100;
    private static final String VM = "vm";
    private static final String ENGINE = "engine";

    private BackendMetrics() {}

    /// Returns the metrics of a snapshot.
    static MetricSnapshots of(BackendSnapshot snapshot) {
        Families families = new Families();
        backend(families, snapshot);
        engines(families, snapshot);
        double[] entitlements = Entitlement.of(snapshot.vms());
        for (int i = 0; i < entitlements.length; i++) {
            VmSnapshot vm = snapshot.vms().get(i);
            shares(families, vm, entitlements[i]);
            commands(families, vm);
            interfaces(families, vm);
        }
        return families.build();
    }

    private static void backend(Families families, BackendSnapshot snapshot) {
        CounterValues own = snapshot.backend();
        families.gauge("gpuvm_backend_info", "GPU of the backend.", 1, "gpu", snapshot.gpu());
        families.gauge(
                "gpuvm_backend_start_time_seconds",
                "Start of the backend since 1970, in seconds.",
                snapshot.startMs() / MILLIS_PER_SECOND);
        families.gauge(
                "gpuvm_backend_heartbeat_age_seconds",
                "Time since the backend and all its loops were last seen to proceed.",
                snapshot.heartbeatAgeNs() / NANOS_PER_SECOND);
        String loops = "Iterations of the loops of the backend.";
        families.counter(
                "gpuvm_backend_loops", loops, own.get(CounterType.OWNER_LOOPS), "loop", "owner");
        families.counter(
                "gpuvm_backend_loops", loops, own.get(CounterType.POLLER_LOOPS), "loop", "poller");
        families.gauge(
                "gpuvm_backend_resident_memory_bytes",
                "Resident memory of the backend's process.",
                own.get(CounterType.RESIDENT_BYTES));
        families.counter(
                "gpuvm_backend_cpu_seconds",
                "Processor time of the backend's process.",
                own.get(CounterType.CPU_NS) / NANOS_PER_SECOND);
        families.gauge("gpuvm_backend_vms", "Attached virtual machines.", snapshot.vms().size());
        families.gauge("gpuvm_gpu_vram_bytes", "VRAM of the GPU.", own.get(CounterType.VRAM_BYTES));
        families.gauge(
                "gpuvm_gpu_vram_free_bytes",
                "VRAM that no virtual machine holds.",
                own.get(CounterType.VRAM_FREE_BYTES));
        families.gauge(
                "gpuvm_command_limit_seconds",
                "GPU time after which a command is stopped; 0 if commands are not observed.",
                own.get(CounterType.COMMAND_LIMIT_NS) / NANOS_PER_SECOND);
    }

    private static void engines(Families families, BackendSnapshot snapshot) {
        for (int engine = 0; engine < CounterType.ENGINES.size(); engine++) {
            String name = CounterType.ENGINES.get(engine);
            families.counter(
                    "gpuvm_engine_busy_seconds",
                    "Charged time of the engine, for all virtual machines.",
                    snapshot.engines().get(CounterType.ENGINE_BUSY_NS, engine) / NANOS_PER_SECOND,
                    ENGINE,
                    name);
            families.gauge(
                    "gpuvm_engine_running_seconds",
                    "Time for which the running command has used the engine; 0 if it is free.",
                    snapshot.unchargedNs(engine) / NANOS_PER_SECOND,
                    ENGINE,
                    name);
            VmSnapshot holder = snapshot.holder(engine);
            if (holder != null) {
                families.gauge(
                        "gpuvm_engine_holder",
                        "Virtual machine whose command has the engine.",
                        1,
                        ENGINE,
                        name,
                        VM,
                        holder.name());
            }
        }
    }

    private static void shares(Families families, VmSnapshot vm, double entitlement) {
        CounterValues values = vm.values();
        String name = vm.name();
        families.gauge(
                "gpuvm_vm_info", "Mode of the virtual machine.", 1, VM, name, "mode", vm.mode());
        families.gauge(
                "gpuvm_vm_weight",
                "Weight of the virtual machine.",
                values.get(CounterType.WEIGHT),
                VM,
                name);
        families.gauge(
                "gpuvm_vm_cap_ratio",
                "Cap of the virtual machine, 0 to 1; 1 for none.",
                values.get(CounterType.CAP_PERCENT) / WHOLE_PERCENT,
                VM,
                name);
        families.gauge(
                "gpuvm_vm_entitlement_ratio",
                "Part of each engine while all virtual machines want it, 0 to 1.",
                entitlement,
                VM,
                name);
        families.gauge(
                "gpuvm_vm_vram_limit_bytes",
                "VRAM of the virtual machine.",
                values.get(CounterType.VRAM_LIMIT_BYTES),
                VM,
                name);
        families.gauge(
                "gpuvm_vm_vram_used_bytes",
                "VRAM that guests of the virtual machine have allocated.",
                values.get(CounterType.VRAM_USED_BYTES),
                VM,
                name);
        for (int engine = 0; engine < CounterType.ENGINES.size(); engine++) {
            families.counter(
                    "gpuvm_vm_gpu_seconds",
                    "Charged GPU time.",
                    values.get(CounterType.GPU_TIME_NS, engine) / NANOS_PER_SECOND,
                    VM,
                    name,
                    ENGINE,
                    CounterType.ENGINES.get(engine));
        }
    }

    private static void commands(Families families, VmSnapshot vm) {
        CounterValues values = vm.values();
        String name = vm.name();
        families.counter(
                "gpuvm_vm_commands_submitted",
                "Commands that were queued.",
                values.get(CounterType.SUBMITTED),
                VM,
                name);
        families.gauge(
                "gpuvm_vm_commands_waiting",
                "Commands that are queued now.",
                values.get(CounterType.WAITING),
                VM,
                name);
        for (int engine = 0; engine < CounterType.ENGINES.size(); engine++) {
            families.counter(
                    "gpuvm_vm_commands_completed",
                    "Commands that have completed or were stopped.",
                    values.get(CounterType.COMPLETED, engine),
                    VM,
                    name,
                    ENGINE,
                    CounterType.ENGINES.get(engine));
        }
        families.histogram(
                "gpuvm_vm_command_wait_seconds",
                "Time from the submission to the start of commands.",
                bucket -> values.get(CounterType.WAITS, bucket),
                values.get(CounterType.WAITS_NS),
                VM,
                name);
        families.histogram(
                "gpuvm_vm_command_latency_seconds",
                "Time from the submission to the end of commands.",
                bucket -> values.get(CounterType.LATENCIES, bucket),
                values.get(CounterType.LATENCIES_NS),
                VM,
                name);
        families.counter(
                "gpuvm_vm_kills",
                "Channels that the backend has stopped because of a hung command or guest.",
                values.get(CounterType.KILLS),
                VM,
                name);
        families.counter(
                "gpuvm_vm_faults", "MMU faults.", values.get(CounterType.FAULTS), VM, name);
    }

    private static void interfaces(Families families, VmSnapshot vm) {
        CounterValues values = vm.values();
        String name = vm.name();
        String traps = "Trapped accesses to the virtual GPU.";
        families.counter(
                "gpuvm_vm_traps",
                traps,
                values.sum(CounterType.TRAP_READS),
                VM,
                name,
                "access",
                "read");
        families.counter(
                "gpuvm_vm_traps",
                traps,
                values.sum(CounterType.TRAP_WRITES),
                VM,
                name,
                "access",
                "write");
        families.counter(
                "gpuvm_vm_ring_entries",
                "Ring entries that were executed or refused.",
                values.get(CounterType.RING_ENTRIES),
                VM,
                name);
        families.counter(
                "gpuvm_vm_submissions",
                "Submissions of programs to channels.",
                values.get(CounterType.SUBMISSIONS),
                VM,
                name);
        String refusals = "Refused requests of guests and clients.";
        families.counter(
                "gpuvm_vm_refusals",
                refusals,
                values.sum(CounterType.TRAP_REFUSALS),
                VM,
                name,
                "what",
                "message");
        families.counter(
                "gpuvm_vm_refusals",
                refusals,
                values.get(CounterType.RING_FAILURES),
                VM,
                name,
                "what",
                "entry");
        families.counter(
                "gpuvm_vm_refusals",
                refusals,
                values.get(CounterType.REFUSED_CLIENTS),
                VM,
                name,
                "what",
                "client");
        families.counter(
                "gpuvm_vm_dropped_guests",
                "Guests that were dropped because of an internal error or a violation.",
                values.get(CounterType.DROPPED) + values.get(CounterType.VIOLATIONS),
                VM,
                name);
        families.counter(
                "gpuvm_vm_connections",
                "Guests that have connected.",
                values.get(CounterType.CONNECTIONS) + values.get(CounterType.TRAP_CONNECTIONS),
                VM,
                name);
        families.gauge(
                "gpuvm_vm_sessions",
                "Sessions of programs that are open now.",
                values.get(CounterType.SESSIONS),
                VM,
                name);
    }
}
