package io.gpuvm.daemon;

import io.gpuvm.record.RecordLevel;
import io.gpuvm.sched.PolicyKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Everything a backend process is told at its start.
///
/// @param gpu the GPU that it owns
/// @param vms the virtual machines that share it, each with what it has of that kind of GPU
/// @param idle what their threads do while nothing comes
/// @param commandLimit GPU time after which a command is ended when virtual machines share the GPU
/// @param recording what is recorded, or null for nothing
/// @param threads which parts share a thread
/// @param policy decides whose command runs next when virtual machines share the GPU
/// @param control where the socket is made through which the backend is asked and told things while
///   it runs, or null for none
public record BackendConfig(
        GpuSpec gpu,
        List<VmConfig> vms,
        IdleMode idle,
        Duration commandLimit,
        RecordingPlan recording,
        ThreadMode threads,
        PolicyKind policy,
        Path control) {
    /// What is recorded of all virtual machines.
    ///
    /// @param folder where the recording is made
    public record RecordingPlan(Path folder, RecordLevel level) {}

    /// Shorter than nouveau waits for a fence, 15 s (`nouveau_fence.c`): a guest learns what is
    /// wrong before it gives up by itself.
    public static final Duration DEFAULT_COMMAND_LIMIT = Duration.ofSeconds(10);

    /// In proportion to weights.
    public static final PolicyKind DEFAULT_POLICY = PolicyKind.FAIR;

    private static final Duration LEAST_COMMAND_LIMIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_COMMAND_LIMIT = Duration.ofHours(1);

    /// One that records nothing.
    public BackendConfig(GpuSpec gpu, List<VmConfig> vms, IdleMode idle, Duration commandLimit) {
        this(gpu, vms, idle, commandLimit, null);
    }

    /// One in which all parts have threads of their own.
    public BackendConfig(
            GpuSpec gpu,
            List<VmConfig> vms,
            IdleMode idle,
            Duration commandLimit,
            RecordingPlan recording) {
        this(gpu, vms, idle, commandLimit, recording, ThreadMode.SEPARATE);
    }

    /// One with the usual policy and no control socket.
    public BackendConfig(
            GpuSpec gpu,
            List<VmConfig> vms,
            IdleMode idle,
            Duration commandLimit,
            RecordingPlan recording,
            ThreadMode threads) {
        this(gpu, vms, idle, commandLimit, recording, threads, DEFAULT_POLICY, null);
    }

    /// The same with another policy and control socket.
    ///
    /// @param newControl null for none
    public BackendConfig with(PolicyKind newPolicy, Path newControl) {
        return new BackendConfig(
                gpu, vms, idle, commandLimit, recording, threads, newPolicy, newControl);
    }

    /// Checks what single options cannot know.
    ///
    /// @throws ConfigException if two virtual machines have the same name or socket, or if more
    ///   than one wants the whole GPU, or if the GPU does not let VMMs map what they are to, or if
    ///   the command limit is out of range, or if something is asked for that a mode does not have
    public BackendConfig {
        vms = vms.stream().map(vm -> vm.on(gpu)).toList();
        if (vms.isEmpty()) {
            throw new ConfigException("no virtual machine to serve: give at least one --vm");
        }
        Set<Object> seen = new HashSet<>();
        for (VmConfig vm : vms) {
            if (!seen.add(vm.name())) {
                throw new ConfigException("--vm %s is given twice".formatted(vm.name()));
            }
            if (!seen.add(vm.socket().toAbsolutePath().normalize())) {
                throw new ConfigException(
                        "--vm %s: socket=%s is taken by another --vm"
                                .formatted(vm.name(), vm.socket()));
            }
        }
        if (control != null && !seen.add(control.toAbsolutePath().normalize())) {
            throw new ConfigException("--ctl %s is the socket of a --vm".formatted(control));
        }
        boolean whole = vms.stream().anyMatch(vm -> vm.mode() == VmMode.PASSTHROUGH);
        if (whole && vms.size() > 1) {
            throw new ConfigException(
                    "%d virtual machines, limit=1 with mode=passthrough: it hands over the whole GPU"
                            .formatted(vms.size()));
        }
        if (whole && control != null) {
            throw new ConfigException(
                    "--ctl %s, limit=virtual machines that share a GPU, not mode=passthrough"
                            .formatted(control));
        }
        if (whole && threads == ThreadMode.COMPACT) {
            throw new ConfigException(
                    "--threads compact, limit=virtual machines that share a GPU, not"
                            + " mode=passthrough");
        }
        boolean pv = vms.stream().anyMatch(vm -> vm.mode() == VmMode.PV);
        if (recording != null && recording.level() != RecordLevel.COMMANDS && pv) {
            throw new ConfigException(
                    "--record: mode=pv sends no messages, limit=--record-level commands");
        }
        if (commandLimit.compareTo(LEAST_COMMAND_LIMIT) < 0
                || commandLimit.compareTo(LONGEST_COMMAND_LIMIT) > 0) {
            throw new ConfigException(
                    "--command-limit %d, limit=%d to %d seconds"
                            .formatted(
                                    commandLimit.toSeconds(),
                                    LEAST_COMMAND_LIMIT.toSeconds(),
                                    LONGEST_COMMAND_LIMIT.toSeconds()));
        }
    }
}
