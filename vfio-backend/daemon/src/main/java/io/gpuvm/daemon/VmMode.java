package io.gpuvm.daemon;

/// Access of a virtual machine to the GPU.
public enum VmMode {
    /// The virtual machine has the whole GPU; its accesses are forwarded. Baseline of every
    /// comparison.
    PASSTHROUGH,
    /// The virtual machine has a virtual GPU, composed of a model and a part of the real GPU; its
    /// driver is unmodified.
    FV,
    /// Programs in the virtual machine, or on this host, use a library that puts commands into
    /// shared memory. No access is trapped.
    PV
}
