package io.gpuvm.evaluation.data;

/// Configuration of a guest's access to the GPU.
///
/// @param name name in all sections, for instance `fv-lazy`
/// @param title title for readers
/// @param group kind of guests: [#PROCESS] or [#MACHINE]
/// @param baseline name of the configuration of the same group to which this one is compared
/// @param description description in one sentence
public record EvaluatedConfiguration(
        String name, String title, String group, String baseline, String description) {
    /// Group of the programs on the host.
    public static final String PROCESS = "process";

    /// Group of the programs in virtual machines.
    public static final String MACHINE = "machine";
}
