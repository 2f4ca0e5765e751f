package io.gpuvm.counters;

/// Subject of a counter. The ordinals are part of the file's format.
public enum CounterScope {
    /// The backend as a whole.
    BACKEND,
    /// One engine of the GPU, the member of the counter.
    ENGINE,
    /// One attached virtual machine.
    VM
}
