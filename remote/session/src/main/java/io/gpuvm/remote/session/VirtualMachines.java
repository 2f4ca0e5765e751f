package io.gpuvm.remote.session;

import java.nio.file.Path;

/// Virtual machines whose programs may be on other hosts. Any thread.
public interface VirtualMachines {
    /// Returns the socket of a virtual machine for programs; null if it does not exist.
    Path socketOf(String name);

    /// Returns the number of the user to whom a virtual machine belongs; -1 if there is none.
    int userOf(String name);
}
