package io.gpuvm.pv.guest;

import io.gpuvm.gf100.cubin.KernelParameter;
import java.util.List;

/// A kernel of a loaded module. Immutable; any thread.
public final class GpuKernel {
    GpuKernel() {}

    public String name() {
        throw new UnsupportedOperationException();
    }

    /// Its parameters, by ordinal; empty if the file does not describe them.
    public List<KernelParameter> parameters() {
        throw new UnsupportedOperationException();
    }
}
