package io.gpuvm.evaluation;

import static io.gpuvm.evaluation.data.EvaluatedConfiguration.MACHINE;
import static io.gpuvm.evaluation.data.EvaluatedConfiguration.PROCESS;

import io.gpuvm.evaluation.data.EvaluatedConfiguration;
import io.gpuvm.guests.cuda.ProgramsInC;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Configuration of a guest's access to the GPU. An evaluation compares configurations.
enum AccessConfiguration {
    NATIVE(
            "native",
            "Native process",
            PROCESS,
            "A program on the host with a GPU of its own, in the same process.",
            List.of()),
    PV_PROCESS(
            "pv-process",
            "PV process",
            PROCESS,
            "A program on the host that uses a backend's GPU through rings in shared memory.",
            List.of("mode=pv")),
    PV_PROCESS_SINGLE(
            "pv-process-single",
            "PV process, unbatched",
            PROCESS,
            "As PV process, but each ring command has its own doorbell and is awaited.",
            List.of("mode=pv")),
    CUDA_PROCESS(
            "cuda-process",
            "CUDA process",
            PROCESS,
            "A program in C on the host that uses a backend's GPU through libcuda.so.1.",
            List.of("mode=cuda")),
    PT_TRAPPED(
            "pt-trapped",
            "Pass-through, trapped",
            MACHINE,
            "A virtual machine with the whole GPU; every access to its BARs is trapped.",
            List.of("mode=passthrough", "map=none")),
    PT_MAPPED(
            "pt-mapped",
            "Pass-through, mapped",
            MACHINE,
            "A virtual machine with the whole GPU; QEMU maps its BARs.",
            List.of("mode=passthrough", "map=all")),
    FV_NAIVE(
            "fv-naive",
            "FV naive",
            MACHINE,
            "Full virtualization; all accesses are trapped, and all page tables are read at each"
                    + " flush.",
            List.of("mode=fv", "map=none", "shadow=naive")),
    FV_BAR_REMAP(
            "fv-bar-remap",
            "FV BAR remap",
            MACHINE,
            "As FV naive, but QEMU maps BAR3.",
            List.of("mode=fv", "map=bar3", "shadow=naive")),
    FV_LAZY(
            "fv-lazy",
            "FV lazy",
            MACHINE,
            "As FV naive, but page tables are read only before a channel that uses them runs.",
            List.of("mode=fv", "map=none", "shadow=lazy")),
    FV_OPTIMIZED(
            "fv-optimized",
            "FV optimized",
            MACHINE,
            "Full virtualization with mapped BARs; only changed page-table entries are read.",
            List.of("mode=fv", "map=all", "shadow=incremental")),
    PV_MACHINE(
            "pv-machine",
            "PV in a machine",
            MACHINE,
            "A program in a virtual machine that uses a backend's GPU through rings in a PCI"
                    + " function.",
            List.of("mode=pv", "via=vfio-user")),
    PV_MACHINE_SINGLE(
            "pv-machine-single",
            "PV in a machine, unbatched",
            MACHINE,
            "As PV in a machine, but each ring command has its own doorbell and is awaited.",
            List.of("mode=pv", "via=vfio-user")),
    CUDA_MACHINE(
            "cuda-machine",
            "CUDA in a machine",
            MACHINE,
            "The same program as of CUDA process in a virtual machine, with a backend's PCI"
                    + " function.",
            List.of("mode=cuda", "via=vfio-user"));

    private final String key;
    private final String title;
    private final String group;
    private final String description;
    private final List<String> backendKeys;

    AccessConfiguration(
            String key, String title, String group, String description, List<String> backendKeys) {
        this.key = key;
        this.title = title;
        this.group = group;
        this.description = description;
        this.backendKeys = backendKeys;
    }

    /// Returns the configuration with the given name, as in the data.
    ///
    /// @throws IllegalArgumentException if no configuration has this name; the message lists all
    ///   names
    static AccessConfiguration named(String key) {
        for (AccessConfiguration each : values()) {
            if (each.key.equals(key)) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "configuration=%s, expected one of %s"
                        .formatted(
                                key,
                                Arrays.stream(values())
                                        .map(AccessConfiguration::key)
                                        .collect(Collectors.joining(", "))));
    }

    /// Returns the configuration's name in the data.
    String key() {
        return key;
    }

    /// Returns whether the guest is a virtual machine.
    boolean isMachine() {
        return group.equals(MACHINE);
    }

    /// Returns whether the program sends its ring commands in batches; true if the program uses no
    /// rings.
    boolean isBatched() {
        return this != PV_PROCESS_SINGLE && this != PV_MACHINE_SINGLE;
    }

    /// Returns whether the backend reads all page tables at each flush.
    boolean readsAllTables() {
        return backendKeys.contains("shadow=naive");
    }

    /// Returns whether the program uses a backend's rings.
    boolean isParavirtual() {
        return backendKeys.contains("mode=pv") || isInC();
    }

    /// Returns whether the program is in C, and uses the CUDA driver API, instead of `gpuvm
    /// measure`.
    boolean isInC() {
        return backendKeys.contains("mode=cuda");
    }

    /// Returns whether the program has a workload.
    ///
    /// @param workload name of the workload
    boolean has(String workload) {
        return !isInC() || ProgramsInC.WORKLOADS.contains(workload);
    }

    /// Returns the keys and values of the backend's `--vm`; empty without a backend.
    Map<String, String> backendKeys() {
        Map<String, String> keys = new LinkedHashMap<>();
        for (String each : backendKeys) {
            int equals = each.indexOf('=');
            keys.put(each.substring(0, equals), each.substring(equals + 1));
        }
        return keys;
    }

    /// Returns the description of this configuration for the data.
    ///
    /// @param workloads names of the workloads of the evaluation
    EvaluatedConfiguration described(List<String> workloads) {
        AccessConfiguration baseline = isMachine() ? PT_MAPPED : NATIVE;
        List<String> absent = workloads.stream().filter(name -> !has(name)).toList();
        return new EvaluatedConfiguration(key, title, group, baseline.key, description, absent);
    }
}
