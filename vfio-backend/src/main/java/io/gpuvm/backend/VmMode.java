package io.gpuvm.backend;

/// How a virtual machine reaches the GPU.
public enum VmMode {
    /// It alone has the whole GPU; accesses are forwarded. The baseline of every comparison.
    PASSTHROUGH
}
