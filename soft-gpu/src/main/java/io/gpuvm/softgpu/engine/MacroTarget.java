package io.gpuvm.softgpu.engine;

/// Executor of the methods that the macro processor's programs send.
interface MacroTarget {
    /// Executes a method, as [ClassObject#method].
    MethodProgress send(int subchannel, int method, int data);

    /// Returns the last data of a method.
    ///
    /// @param method a multiple of 4, at most [io.gpuvm.gf100.fifo.MethodHeader#METHOD_MASK]
    int read(int method);
}
