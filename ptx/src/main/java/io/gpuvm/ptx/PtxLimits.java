package io.gpuvm.ptx;

import io.gpuvm.ptx.ir.Function;
import java.time.Duration;

/// Limits of a compilation.
///
/// @param characters maximum number of characters of all sources
/// @param values maximum number of values of a function, which are the results of instructions of
///   the machine, and of all steps between the source and them
/// @param time maximum time; a compilation may end later by the longest step without a comparison
public record PtxLimits(int characters, int values, Duration time) {
    /// Estimate of the memory of a compilation, in bytes for each character of the sources.
    public static final int BYTES_OF_CHARACTER = 160;

    /// Estimate of the memory of a compilation, in bytes for each value of its largest function.
    public static final int BYTES_OF_VALUE = Function.BYTES_OF_VALUE;

    /// Estimate of the memory of a compilation without sources, in bytes.
    public static final int BYTES_OF_COMPILER = 2 << 20;

    /// Limits for sources that the user of this process has chosen.
    public static final PtxLimits DEFAULT = new PtxLimits(64 << 20, 64 << 20, Duration.ofDays(1));
}
