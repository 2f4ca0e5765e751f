package io.gpuvm.daemon;

import io.gpuvm.record.RecordLevel;
import io.gpuvm.sched.PolicyKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Configuration of a backend process.
///
/// @param gpu GPU that the backend owns
/// @param vms virtual machines that use the GPU, each adapted to the kind of GPU
/// @param idle behaviour of the virtual machines' threads while no message arrives
/// @param commandLimit GPU time after which a command is stopped, if virtual machines share the GPU
/// @param recording plan of the recording, or null for no recording
/// @param threads assignment of the parts to threads
/// @param policy scheduling policy, used if virtual machines share the GPU
/// @param control control socket, or null for no control socket
/// @param runFolder folder for the file of counters, which the backend creates if it is the usual
///   one of its control socket; null if no other process can read the counters
public record BackendConfig(
        GpuSpec gpu,
        List<VmConfig> vms,
        IdleMode idle,
        Duration commandLimit,
        RecordingPlan recording,
        ThreadMode threads,
        PolicyKind policy,
        ControlPlan control,
        Path runFolder) {
    /// Plan of a recording of all virtual machines.
    ///
    /// @param folder folder of the recording
    public record RecordingPlan(Path folder, RecordLevel level) {}

    /// Default command limit, shorter than nouveau's timeout for a fence, 15 s (`nouveau_fence.c`):
    /// a guest receives the error before its wait times out.
    public static final Duration DEFAULT_COMMAND_LIMIT = Duration.ofSeconds(10);

    /// Default policy: time in proportion to weights.
    public static final PolicyKind DEFAULT_POLICY = PolicyKind.FAIR;

    private static final Duration LEAST_COMMAND_LIMIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_COMMAND_LIMIT = Duration.ofHours(1);

    /// Creates a configuration without recording.
    public BackendConfig(GpuSpec gpu, List<VmConfig> vms, IdleMode idle, Duration commandLimit) {
        this(gpu, vms, idle, commandLimit, null);
    }

    /// Creates a configuration in which all parts have separate threads.
    public BackendConfig(
            GpuSpec gpu,
            List<VmConfig> vms,
            IdleMode idle,
            Duration commandLimit,
            RecordingPlan recording) {
        this(gpu, vms, idle, commandLimit, recording, ThreadMode.SEPARATE);
    }

    /// Creates a configuration with the default policy and no control socket.
    public BackendConfig(
            GpuSpec gpu,
            List<VmConfig> vms,
            IdleMode idle,
            Duration commandLimit,
            RecordingPlan recording,
            ThreadMode threads) {
        this(gpu, vms, idle, commandLimit, recording, threads, DEFAULT_POLICY, null, null);
    }

    /// Returns a copy with another policy and no control socket.
    public BackendConfig with(PolicyKind newPolicy) {
        return with(newPolicy, (ControlPlan) null);
    }

    /// Returns a copy with another policy and control socket.
    ///
    /// @param newControl path of the control socket
    public BackendConfig with(PolicyKind newPolicy, Path newControl) {
        return with(newPolicy, new ControlPlan(newControl));
    }

    /// Returns a copy with another policy and control socket.
    ///
    /// @param newControl control socket, or null for no control socket
    public BackendConfig with(PolicyKind newPolicy, ControlPlan newControl) {
        return new BackendConfig(
                gpu, vms, idle, commandLimit, recording, threads, newPolicy, newControl, runFolder);
    }

    /// Returns a copy with a folder for the file of counters.
    ///
    /// @param newRunFolder existing folder, or null if no other process can read the counters
    public BackendConfig withRunFolder(Path newRunFolder) {
        return new BackendConfig(
                gpu, vms, idle, commandLimit, recording, threads, policy, control, newRunFolder);
    }

    /// Checks the relations between options.
    ///
    /// @throws ConfigException if two virtual machines have the same name or socket, if more than
    ///   one virtual machine requests the whole GPU, if the GPU does not permit the requested
    ///   mappings, if the command limit is out of range, or if an option is not available in a mode
    public BackendConfig {
        vms = vms.stream().map(vm -> vm.on(gpu)).toList();
        Set<Object> seen = new HashSet<>();
        for (VmConfig vm : vms) {
            if (!seen.add(vm.name())) {
                throw new ConfigException("--vm %s is given twice".formatted(vm.name()));
            }
            if (!seen.add(vm.socket().toAbsolutePath().normalize())) {
                throw new ConfigException(
                        "--vm %s: socket=%s is used by another --vm"
                                .formatted(vm.name(), vm.socket()));
            }
        }
        if (control != null && !seen.add(control.socket().toAbsolutePath().normalize())) {
            throw new ConfigException(
                    "--ctl %s is the socket of a --vm".formatted(control.socket()));
        }
        if (control != null) {
            control.checkCaps(vms.stream().mapToInt(vm -> vm.share().capPercent()).sum());
        }
        boolean whole = vms.stream().anyMatch(vm -> vm.mode() == VmMode.PASSTHROUGH);
        if (whole && vms.size() > 1) {
            throw new ConfigException(
                    "virtual machines=%d, limit=1 with mode=passthrough (assigns the whole GPU)"
                            .formatted(vms.size()));
        }
        if (whole && threads == ThreadMode.COMPACT) {
            throw new ConfigException(
                    "--threads compact requires virtual machines that share a GPU, not"
                            + " mode=passthrough");
        }
        if (recording != null && recording.level() != RecordLevel.COMMANDS) {
            vms.forEach(BackendConfig::checkMessages);
        }
        if (commandLimit.compareTo(LEAST_COMMAND_LIMIT) < 0
                || commandLimit.compareTo(LONGEST_COMMAND_LIMIT) > 0) {
            throw new ConfigException(
                    "--command-limit %d, expected %d to %d seconds"
                            .formatted(
                                    commandLimit.toSeconds(),
                                    LEAST_COMMAND_LIMIT.toSeconds(),
                                    LONGEST_COMMAND_LIMIT.toSeconds()));
        }
    }

    /// Throws [ConfigException] if there is no virtual machine, and none could attach later.
    void requireVms() {
        if (vms.isEmpty() && control == null) {
            throw new ConfigException(
                    "no virtual machine to serve, and none can attach later: expected at least one --vm, or --ctl");
        }
    }

    private static void checkMessages(VmConfig vm) {
        if (vm.mode().isParavirtual()) {
            throw new ConfigException(
                    "--record: mode=%s sends no messages; use --record-level commands"
                            .formatted(vm.mode().name().toLowerCase(Locale.ROOT)));
        }
    }
}
