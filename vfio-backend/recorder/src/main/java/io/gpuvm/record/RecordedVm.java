package io.gpuvm.record;

/// A virtual machine of a recording.
///
/// @param name what the configuration calls it
/// @param mode how it reached the GPU: `fv`, `passthrough` or `pv`
/// @param map which BARs its VMM could map; unless it is `none`, what went that way is missing
/// @param vramBytes how much VRAM it had
public record RecordedVm(String name, String mode, String map, long vramBytes) {
    private static final String PARAVIRTUAL = "pv";

    /// Whether all that its guest did to the GPU came by message.
    public boolean cameByMessage() {
        return "none".equals(map) && !sentNoMessages();
    }

    /// Whether its guest sent no messages at all, so that only its commands are recorded.
    public boolean sentNoMessages() {
        return PARAVIRTUAL.equals(mode);
    }
}
