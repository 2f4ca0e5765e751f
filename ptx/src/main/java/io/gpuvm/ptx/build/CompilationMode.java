package io.gpuvm.ptx.build;

/// Mode of a compilation.
///
/// @param maxRegisters maximum number of registers of a thread, from [#LEAST_REGISTERS] to 63
/// @param optimize whether to optimize the code
public record CompilationMode(int maxRegisters, boolean optimize) {
    /// Least number of registers with which every function can be compiled.
    public static final int LEAST_REGISTERS = 16;
}
