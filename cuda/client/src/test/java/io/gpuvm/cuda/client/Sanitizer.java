package io.gpuvm.cuda.client;

import java.util.List;
import java.util.Map;

/// Instrumentation of C programs by the compiler.
enum Sanitizer {
    NONE(List.of("-O2"), Map.of()),

    /// Not optimized, because the compilation takes longer than the cases. The library's addresses
    /// are in a gap that AddressSanitizer protects by default.
    ADDRESS(
            List.of("-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
            Map.of("ASAN_OPTIONS", "protect_shadow_gap=0")),

    /// ThreadSanitizer does not know fences; the races that they prevent are on atomic variables.
    THREAD(
            List.of("-O1", "-fsanitize=thread", "-Wno-tsan"),
            Map.of("TSAN_OPTIONS", "atexit_sleep_ms=0"));

    private final List<String> options;
    private final Map<String, String> environment;

    Sanitizer(List<String> options, Map<String, String> environment) {
        this.options = options;
        this.environment = environment;
    }

    /// Returns options of the compiler.
    List<String> options() {
        return options;
    }

    /// Returns environment variables of the program.
    Map<String, String> environment() {
        return environment;
    }
}
