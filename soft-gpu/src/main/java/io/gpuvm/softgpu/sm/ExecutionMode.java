package io.gpuvm.softgpu.sm;

import java.util.Arrays;
import java.util.Locale;

/// Execution mode of kernels.
public enum ExecutionMode {
    /// Interprets every instruction separately: the reference.
    INTERPRETER,

    /// Compiles every kernel before its first execution.
    COMPILED,

    /// Interprets kernels at first; a background thread compiles frequently executed kernels.
    TIERED;

    /// Returns the mode with the given name, as in command lines and reports.
    ///
    /// @throws IllegalArgumentException if no mode has the name; the message contains the value and
    ///   the valid names
    public static ExecutionMode named(String text) {
        return Arrays.stream(values())
                .filter(mode -> mode.text().equals(text))
                .findAny()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "engine=%s, expected one of interpreter, compiled, tiered"
                                        .formatted(text)));
    }

    /// Returns the mode's name in command lines and reports.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
