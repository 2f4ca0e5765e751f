package io.gpuvm.demo;

import io.gpuvm.guests.real.VmSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Participants of a demonstration.
///
/// @param paravirtual guests that are processes, with the workload of each
/// @param real virtual machines with a virtual GPU, with the program of each
record DemoPlan(List<Worker> paravirtual, List<Machine> real) {
    /// A paravirtual guest.
    ///
    /// @param workload name of its workload, which runs in the default size
    record Worker(VmSpec vm, String workload) {}

    /// A virtual machine.
    ///
    /// @param program name of its program in `tests/real-guest/programs`
    /// @param does description of the program's activity
    /// @param arguments arguments of the program
    record Machine(VmSpec vm, String program, String does, List<String> arguments) {}

    /// Maximum number of paravirtual guests: one for each sufficiently different workload.
    static final int MOST_GUESTS = 8;

    static final int REAL_GUESTS = 2;

    /// Argument with the duration for which the program repeats its computation.
    private static final String COMPUTE_TIME = "seconds=5";

    private static final List<String> WORKLOADS =
            List.of("mmul", "bfs", "srad", "cpy", "lud", "hotspot", "nw", "nn");

    private static final int GUEST_VRAM_MIB = 128;
    private static final int REAL_VRAM_MIB = 512;

    /// @param guests number of paravirtual guests, at most [#MOST_GUESTS]
    /// @param machines number of virtual machines
    /// @param kernel Linux version of the virtual machines
    static DemoPlan of(int guests, int machines, String kernel) {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < guests; i++) {
            workers.add(new Worker(vm("pv" + i, "pv", GUEST_VRAM_MIB, kernel), WORKLOADS.get(i)));
        }
        List<Machine> real = new ArrayList<>();
        for (int i = 0; i < machines; i++) {
            VmSpec vm = vm("vm" + i, "fv", REAL_VRAM_MIB, kernel);
            real.add(
                    i % 2 == 0
                            ? new Machine(vm, "copy", "nouveau copies", List.of())
                            : new Machine(
                                    vm, "gles-compute", "Mesa computes", List.of(COMPUTE_TIME)));
        }
        return new DemoPlan(List.copyOf(workers), List.copyOf(real));
    }

    /// Returns the configurations of all virtual machines for the backend.
    List<VmSpec> vms() {
        List<VmSpec> all = new ArrayList<>();
        paravirtual.forEach(worker -> all.add(worker.vm()));
        real.forEach(machine -> all.add(machine.vm()));
        return all;
    }

    /// Returns the value of the backend's `--gpu`, with enough VRAM.
    String gpu() {
        int mib = paravirtual.size() * GUEST_VRAM_MIB + real.size() * REAL_VRAM_MIB;
        return "soft,vram=%dM".formatted(mib);
    }

    private static VmSpec vm(String name, String mode, int vramMib, String kernel) {
        return new VmSpec(name, kernel, Map.of("mode", mode, "vram", vramMib + "M"));
    }
}
