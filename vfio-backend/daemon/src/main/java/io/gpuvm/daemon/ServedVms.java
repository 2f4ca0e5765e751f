package io.gpuvm.daemon;

import java.util.List;
import java.util.stream.Stream;

/// Registry of the virtual machines that a backend serves, in the order of their attachments. One
/// thread at a time changes it; any thread may read it.
final class ServedVms {
    private volatile List<ServedVm> all = List.of();

    /// Returns the virtual machines at this moment.
    List<ServedVm> all() {
        return all;
    }

    /// Returns the virtual machine with a name; null if there is none.
    ServedVm find(String name) {
        return all.stream().filter(vm -> vm.name().equals(name)).findAny().orElse(null);
    }

    void add(ServedVm vm) {
        all = Stream.concat(all.stream(), Stream.of(vm)).toList();
    }

    void remove(String name) {
        all = all.stream().filter(vm -> !vm.name().equals(name)).toList();
    }
}
