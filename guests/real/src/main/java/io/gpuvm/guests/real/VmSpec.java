package io.gpuvm.guests.real;

import io.gpuvm.options.KeyValues;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// One virtual machine of a run.
///
/// @param name how reports call it
/// @param kernel the kernel it boots: a name that `tests/real-guest/setup` knows
/// @param backendKeys what the backend is told about it, `mode` included, in the order given
public record VmSpec(String name, String kernel, Map<String, String> backendKeys) {
    static final String DEFAULT_MODE = "passthrough";

    public VmSpec {
        Map<String, String> keys = new LinkedHashMap<>(backendKeys);
        keys.putIfAbsent("mode", DEFAULT_MODE);
        backendKeys = java.util.Collections.unmodifiableMap(keys);
    }

    /// A machine with the given mode and nothing else said.
    public static VmSpec of(String name, String kernel, String mode) {
        return new VmSpec(name, kernel, Map.of("mode", mode));
    }

    /// Reads `mode=fv,kernel=6.1,map=bar3`: `kernel` is ours, the rest is the backend's.
    ///
    /// @throws IllegalArgumentException if a part is no `key=value` or a key comes twice
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

    /// The value of the backend's `--vm` option.
    String backendOption(Path socket) {
        return "%s,%s,socket=%s".formatted(name, KeyValues.text(backendKeys), socket);
    }
}
