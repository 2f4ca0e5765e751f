package io.gpuvm.ptx;

import java.time.Duration;

/// Limits of a compilation. Time and memory of a compilation are proportional to the length of the
/// source, apart from functions of many instructions, whose time grows faster.
///
/// @param characters maximum length of the source in characters
/// @param functionInstructions maximum number of instructions of a function
/// @param instructions maximum number of instructions of the module
/// @param time maximum time, which the compiler compares between the steps of each function
public record PtxLimits(
        int characters, int functionInstructions, int instructions, Duration time) {
    /// Limits for sources that the user of this process has chosen.
    public static final PtxLimits DEFAULT =
            new PtxLimits(64 << 20, 1 << 20, 16 << 20, Duration.ofHours(1));

    /// Limits for sources of guests, which are not trusted.
    public static final PtxLimits GUEST =
            new PtxLimits(8 << 20, 1 << 16, 1 << 19, Duration.ofSeconds(30));
}
