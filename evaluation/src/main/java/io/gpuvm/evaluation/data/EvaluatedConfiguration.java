package io.gpuvm.evaluation.data;

import java.util.List;

/// Configuration of a guest's access to the GPU.
///
/// @param name name in all sections, for instance `fv-lazy`
/// @param title title for readers
/// @param group kind of guests: [#PROCESS] or [#MACHINE]
/// @param baseline name of the configuration of the same group to which this one is compared
/// @param description description in one sentence
/// @param absent names of the workloads that the program of this configuration does not have; null
///   in data of earlier versions, whose programs have all
public record EvaluatedConfiguration(
        String name,
        String title,
        String group,
        String baseline,
        String description,
        List<String> absent) {
    /// Group of the programs on the host.
    public static final String PROCESS = "process";

    /// Group of the programs in virtual machines.
    public static final String MACHINE = "machine";

    public EvaluatedConfiguration {
        absent = absent == null ? List.of() : List.copyOf(absent);
    }
}
