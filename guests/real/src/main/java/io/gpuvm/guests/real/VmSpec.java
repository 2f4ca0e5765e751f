package io.gpuvm.guests.real;

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
        Map<String, String> keys = new LinkedHashMap<>();
        for (String part : text.split(",")) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(
                        "--vm %s: '%s' is no KEY=VALUE".formatted(text, part));
            }
            if (keys.put(part.substring(0, equals), part.substring(equals + 1)) != null) {
                throw new IllegalArgumentException(
                        "--vm %s: %s is given twice".formatted(text, part.substring(0, equals)));
            }
        }
        String kernel = keys.remove("kernel");
        return new VmSpec(name, kernel == null ? defaultKernel : kernel, keys);
    }

    String mode() {
        return backendKeys.get("mode");
    }

    /// The value of the backend's `--vm` option.
    String backendOption(Path socket) {
        StringBuilder option = new StringBuilder(name);
        backendKeys.forEach(
                (key, value) -> option.append(',').append(key).append('=').append(value));
        return option.append(",socket=").append(socket).toString();
    }
}
