package io.gpuvm.daemon;

/// Access of a virtual machine to the GPU.
public enum VmMode {
    /// The virtual machine has the whole GPU alone; accesses are forwarded. The baseline of every
    /// comparison.
    PASSTHROUGH,
    /// The virtual machine has a virtual GPU, composed of a model and a part of the real GPU; its
    /// driver is unmodified.
    FV,
    /// Programs in the virtual machine, or on this host, link a library for a shared GPU: they put
    /// commands into shared memory, and no access is trapped.
    PV
}
