package io.gpuvm.softgpu.engine;

/// Executor of the methods that the macro processor's programs send.
interface MacroTarget {
    /// Executes a method, as [ClassObject#method] does.
    MethodProgress send(int subchannel, int method, int data);

    /// Returns the data last written to a method.
    ///
    /// @param method a multiple of 4, at most [io.gpuvm.gf100.fifo.MethodHeader#METHOD_MASK]
    int read(int method);
}
