package io.gpuvm.softgpu.engine;

/// Who executes what the macro processor's programs send.
interface MacroTarget {
    /// As [ClassObject#method].
    MethodProgress send(int subchannel, int method, int data);

    /// What a method wrote last.
    ///
    /// @param method a multiple of 4, at most [io.gpuvm.gf100.fifo.MethodHeader#METHOD_MASK]
    int read(int method);
}
