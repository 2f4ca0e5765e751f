package io.gpuvm.guests.real;

import io.gpuvm.options.KeyValues;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// Virtual machine of a run.
///
/// @param name name in reports
/// @param kernel kernel of the guest: a name that `tests/real-guest/setup` accepts
/// @param backendKeys keys of the backend's `--vm`, `mode` included, in the order given
public record VmSpec(String name, String kernel, Map<String, String> backendKeys) {
    /// Mode in which the guest has the whole GPU.
    static final String DEFAULT_MODE = "passthrough";

    /// Mode of guests that use gpuvm's Java library.
    static final String PV = "pv";

    /// Mode of guests that use the CUDA driver API.
    static final String CUDA = "cuda";

    /// Keys of a machine whose only GPU is a function for CUDA programs.
    static final Map<String, String> CUDA_FUNCTION = Map.of("mode", CUDA, "via", "vfio-user");

    public VmSpec {
        Map<String, String> keys = new LinkedHashMap<>(backendKeys);
        keys.putIfAbsent("mode", DEFAULT_MODE);
        backendKeys = java.util.Collections.unmodifiableMap(keys);
    }

    /// Returns a machine with the given mode and default values of all other keys.
    public static VmSpec of(String name, String kernel, String mode) {
        return new VmSpec(name, kernel, Map.of("mode", mode));
    }

    /// Parses `mode=fv,kernel=6.1,map=bar3`: `kernel` belongs to the run, the other keys to the
    /// backend.
    ///
    /// @throws IllegalArgumentException if a part is not `key=value` or a key occurs twice
    public static VmSpec parse(String name, String text, String defaultKernel) {
        Map<String, String> keys;
        try {
            keys = KeyValues.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--vm %s: %s".formatted(text, e.getMessage()), e);
        }
        String kernel = keys.remove("kernel");
        return new VmSpec(name, kernel == null ? defaultKernel : kernel, keys);
    }

    String mode() {
        return backendKeys.get("mode");
    }

    /// Returns whether the guest is paravirtual: it has no GPU driver, and its program uses a PCI
    /// function of the backend.
    boolean isParavirtual() {
        return mode().equals(PV) || mode().equals(CUDA);
    }

    /// Returns whether the backend shares the GPU among virtual machines, even if there is only
    /// one.
    boolean isShared() {
        return !mode().equals(DEFAULT_MODE);
    }

    /// Returns the value of the backend's `--vm` option.
    String backendOption(Path socket) {
        return "%s,%s,socket=%s".formatted(name, KeyValues.text(backendKeys), socket);
    }
}
