package io.gpuvm.record;

import java.util.Set;

/// Virtual machine of a recording.
///
/// @param name name in the configuration
/// @param mode access to the GPU: `fv`, `passthrough`, `pv` or `cuda`
/// @param map BARs that its VMM could map; unless the value is `none`, accesses through the mapping
///   are missing
/// @param vramBytes size of its VRAM
public record RecordedVm(String name, String mode, String map, long vramBytes) {
    private static final Set<String> PARAVIRTUAL = Set.of("pv", "cuda");

    /// Returns whether all of the guest's accesses to the GPU were messages.
    public boolean cameByMessage() {
        return "none".equals(map) && !sentNoMessages();
    }

    /// Returns whether the guest sent no messages; if so, only its commands are recorded.
    public boolean sentNoMessages() {
        return PARAVIRTUAL.contains(mode);
    }
}
