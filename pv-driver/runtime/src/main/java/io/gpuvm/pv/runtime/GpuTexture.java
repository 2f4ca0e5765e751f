package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.classes.LinearTexture;
import io.gpuvm.gf100.classes.NumericFormat;
import io.gpuvm.gf100.classes.TexelLayout;

/// Texture of a module: memory that kernels read texel by texel, with conversion (`tex1Dfetch`).
/// Texels beyond the end of the memory read as zero.
///
/// A binding applies to later launches of all kernels of the module, not to earlier launches. Any
/// thread.
public final class GpuTexture {
    /// Binding of a texture.
    ///
    /// @param memory memory, which must not be freed while it is bound
    record Binding(Allocation memory, LinearTexture texture) {
        /// Texture without texels.
        private static final Binding NONE =
                new Binding(null, LinearTexture.of(TexelLayout.R32, NumericFormat.UINT, 0, 0));
    }

    private final GpuContext context;
    private final String name;
    private volatile Binding binding;
    private volatile boolean isOptional;

    GpuTexture(GpuContext context, String name) {
        this.context = context;
        this.name = name;
    }

    public String name() {
        return name;
    }

    /// Binds memory; an incomplete texel at the end of the memory is ignored.
    ///
    /// @param format format of each component
    /// @param channels number of components of a texel: 1, 2 or 4
    /// @throws GpuException [GpuError#INVALID_VALUE] if the GPU does not support such a texture,
    ///   [GpuError#INVALID_HANDLE] if the memory is closed or belongs to another context
    public void bind(DeviceMemory memory, TexelFormat format, int channels) {
        bind(memory, 0, memory.bytes(), format, channels);
    }

    /// Binds a part of memory as [#bind(DeviceMemory, TexelFormat, int)] does.
    ///
    /// @param offset offset of the first texel in bytes
    /// @param bytes length of the part
    public void bind(
            DeviceMemory memory, long offset, long bytes, TexelFormat format, int channels) {
        TexelLayout layout = TexelLayout.of(channels, format.bits());
        if (layout == null) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "texture %s: channels=%d, expected 1, 2 or 4".formatted(name, channels));
        }
        Allocation allocation = memory.allocation();
        long gpuVa = allocation.range(context, "texture", offset, bytes);
        try {
            LinearTexture texture =
                    LinearTexture.of(layout, format.encoding(), gpuVa, bytes / layout.bytes());
            binding = new Binding(allocation, texture);
        } catch (IllegalArgumentException e) {
            throw new GpuException(
                    GpuError.INVALID_VALUE, "texture %s: %s".formatted(name, e.getMessage()), e);
        }
    }

    /// Permits launches of kernels that use the texture while no memory is bound, or the bound
    /// memory is freed: all texels then read as zeros.
    public void makeOptional() {
        isOptional = true;
    }

    /// Removes the binding. Kernels that use the texture cannot be launched until the next binding,
    /// unless the texture is optional.
    public void unbind() {
        binding = null;
    }

    /// Returns the current binding.
    ///
    /// @throws GpuException if no memory is bound, or the memory is freed, unless the texture is
    ///   optional
    Binding binding() {
        Binding bound = binding;
        if (isOptional && (bound == null || !bound.memory.isOpen())) {
            return Binding.NONE;
        }
        if (bound == null) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "texture %s: binding=none, expected memory".formatted(name));
        }
        bound.memory.checkUsableIn(context);
        return bound;
    }
}
