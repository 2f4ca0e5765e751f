package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.classes.LinearTexture;
import io.gpuvm.gf100.classes.TexelLayout;

/// A texture of a module: memory that kernels read texel by texel, converted on the way
/// (`tex1Dfetch`). Texels beyond its end read as zero.
///
/// What is bound counts for launches of all kernels of the module that are called after it; those
/// before keep what they have. Any thread.
public final class GpuTexture {
    /// What is bound.
    ///
    /// @param memory that must not be freed while it is
    record Binding(Allocation memory, LinearTexture texture) {}

    private final GpuContext context;
    private final String name;
    private volatile Binding binding;

    GpuTexture(GpuContext context, String name) {
        this.context = context;
        this.name = name;
    }

    public String name() {
        return name;
    }

    /// Makes memory the texture; bytes at its end that are no whole texel are left out.
    ///
    /// @param format of each channel
    /// @param channels of a texel: 1, 2 or 4
    /// @throws GpuException [GpuError#INVALID_VALUE] if there is no such texture,
    ///   [GpuError#INVALID_HANDLE] if the memory is closed or another context's
    public void bind(DeviceMemory memory, TexelFormat format, int channels) {
        TexelLayout layout = TexelLayout.of(channels, format.bits());
        if (layout == null) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "texture %s: channels=%d, limit=1, 2 or 4".formatted(name, channels));
        }
        Allocation allocation = memory.allocation();
        long gpuVa = allocation.range(context, "texture", 0, allocation.bytes());
        try {
            LinearTexture texture =
                    LinearTexture.of(
                            layout, format.encoding(), gpuVa, allocation.bytes() / layout.bytes());
            binding = new Binding(allocation, texture);
        } catch (IllegalArgumentException e) {
            throw new GpuException(
                    GpuError.INVALID_VALUE, "texture %s: %s".formatted(name, e.getMessage()), e);
        }
    }

    /// Takes away what is bound. Kernels that have the texture cannot be launched then.
    public void unbind() {
        binding = null;
    }

    /// What is bound.
    ///
    /// @throws GpuException if nothing is, or its memory is freed
    Binding binding() {
        Binding bound = binding;
        if (bound == null) {
            throw new GpuException(
                    GpuError.INVALID_VALUE, "texture %s: bound=no, limit=yes".formatted(name));
        }
        bound.memory.checkUsableIn(context);
        return bound;
    }
}
