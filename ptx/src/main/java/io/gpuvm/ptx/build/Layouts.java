package io.gpuvm.ptx.build;

/// Places of a program's variables.
record Layouts(Program program, ModuleLayout module, SharedLayout shared) {
    /// @param constantStart bytes at the start of constant memory that are not the program's
    static Layouts of(Program program, int constantStart) {
        return new Layouts(
                program, new ModuleLayout(program, constantStart), new SharedLayout(program));
    }
}
