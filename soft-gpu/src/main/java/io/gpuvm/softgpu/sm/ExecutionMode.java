package io.gpuvm.softgpu.sm;

import java.util.Arrays;
import java.util.Locale;

/// What executes kernels.
public enum ExecutionMode {
    /// An instruction at a time, all of them the same way: the reference.
    INTERPRETER,

    /// Every kernel is compiled before it runs first.
    COMPILED,

    /// Kernels are interpreted at first; those that prove to be worth it are compiled meanwhile.
    TIERED;

    /// The engine that a command line or a report calls so.
    ///
    /// @throws IllegalArgumentException naming the value and what there is
    public static ExecutionMode named(String text) {
        return Arrays.stream(values())
                .filter(mode -> mode.text().equals(text))
                .findAny()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "engine=%s, limit=interpreter, compiled or tiered"
                                        .formatted(text)));
    }

    /// What it is called there.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
