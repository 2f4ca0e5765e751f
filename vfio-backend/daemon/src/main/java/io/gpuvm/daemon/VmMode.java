package io.gpuvm.daemon;

/// How a virtual machine reaches the GPU.
public enum VmMode {
    /// It alone has the whole GPU; accesses are forwarded. The baseline of every comparison.
    PASSTHROUGH,
    /// It has a GPU of its own, made of a model and a part of the real one; the driver in it is
    /// unmodified.
    FV,
    /// Programs in it, or on this host, link a library that knows that the GPU is shared: they put
    /// commands into shared memory, and nothing is trapped.
    PV
}
