package io.gpuvm.ptx;

import io.gpuvm.ptx.build.CompilationMode;

/// Options of a compilation.
///
/// @param maxRegisters maximum number of registers of a thread, 16 to 63
/// @param optimize whether to optimize the code
public record PtxOptions(int maxRegisters, boolean optimize) {
    /// Least number of registers with which every function can be compiled.
    public static final int LEAST_REGISTERS = CompilationMode.LEAST_REGISTERS;

    private static final int MOST_REGISTERS = 63;

    public static final PtxOptions DEFAULT = new PtxOptions(MOST_REGISTERS, true);

    /// @throws IllegalArgumentException if the number of registers is out of range
    public PtxOptions {
        if (maxRegisters < LEAST_REGISTERS || maxRegisters > MOST_REGISTERS) {
            throw new IllegalArgumentException(
                    "maxRegisters=%d, expected %d to %d"
                            .formatted(maxRegisters, LEAST_REGISTERS, MOST_REGISTERS));
        }
    }

    CompilationMode mode() {
        return new CompilationMode(maxRegisters, optimize);
    }

    /// Returns the options with another limit of registers.
    public PtxOptions withRegisters(int count) {
        return new PtxOptions(count, optimize);
    }

    /// Returns the options with the possible limit of registers that is nearest to a number.
    public PtxOptions withNearestRegisters(int count) {
        return withRegisters(Math.clamp(count, LEAST_REGISTERS, MOST_REGISTERS));
    }

    /// Returns the options without optimizations.
    public PtxOptions withoutOptimization() {
        return new PtxOptions(maxRegisters, false);
    }
}
