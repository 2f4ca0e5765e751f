package io.gpuvm.daemon;

/// Access of a virtual machine to the GPU.
public enum VmMode {
    /// Pass-through: the virtual machine has the whole GPU, and its accesses are forwarded.
    /// Baseline of every comparison.
    PASSTHROUGH,
    /// Full virtualization: the virtual machine has a virtual GPU, composed of a model and a part
    /// of the physical GPU; its driver is unmodified.
    FV,
    /// Paravirtualization: programs in the virtual machine, or on this host, use a library that
    /// writes commands to shared memory. No access is trapped.
    PV,
    /// Paravirtualization for programs with the CUDA driver API: a library writes their calls to
    /// shared memory, and the backend executes them.
    CUDA;

    /// Returns whether the guests are programs that share memory with the backend.
    boolean isParavirtual() {
        return this == PV || this == CUDA;
    }
}
