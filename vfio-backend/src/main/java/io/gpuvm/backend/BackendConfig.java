package io.gpuvm.backend;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Everything a backend process is told at its start.
///
/// @param gpu the GPU that it owns
/// @param vms the virtual machines that share it
/// @param idle what their threads do while nothing comes
public record BackendConfig(GpuSpec gpu, List<VmConfig> vms, IdleMode idle) {
    /// Checks what single options cannot know.
    ///
    /// @throws ConfigException if two virtual machines have the same name or socket, or if more
    ///   than one wants the whole GPU
    public BackendConfig {
        vms = List.copyOf(vms);
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
        boolean whole = vms.stream().anyMatch(vm -> vm.mode() == VmMode.PASSTHROUGH);
        if (whole && vms.size() > 1) {
            throw new ConfigException(
                    "%d virtual machines, limit=1 with mode=passthrough: it hands over the whole GPU"
                            .formatted(vms.size()));
        }
    }
}
