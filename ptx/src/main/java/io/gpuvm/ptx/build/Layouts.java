package io.gpuvm.ptx.build;

/// Places of a program's variables and textures.
record Layouts(Program program, ModuleLayout module, SharedLayout shared, TextureLayout textures) {
    /// @param constantStart bytes at the start of constant memory that are not the program's
    static Layouts of(Program program, int constantStart) {
        return new Layouts(
                program,
                new ModuleLayout(program, constantStart),
                new SharedLayout(program),
                new TextureLayout(program));
    }

    /// Returns the reason why the GPU or the file cannot hold the variables or textures, or null.
    String problem() {
        String problem = module.problem();
        return problem == null ? textures.problem() : problem;
    }
}
