package io.gpuvm.daemon;

import java.util.function.Supplier;

/// Virtual machine that a backend serves.
///
/// @param slot number in the shared GPU; 0 if the virtual machine has the whole GPU
/// @param report returns the current counters; any thread
record ServedVm(VmConfig config, int slot, Supplier<BackendSummary.Vm> report) {
    String name() {
        return config.name();
    }
}
