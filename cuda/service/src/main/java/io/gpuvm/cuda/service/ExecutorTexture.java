package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuTexture;
import io.gpuvm.pv.runtime.TexelFormat;

/// Texture reference of a client: a texture of a module, bound to linear memory once memory and
/// format are known.
final class ExecutorTexture {
    /// Values of `CUarray_format`.
    private static final int UNSIGNED_INT8 = 0x01;

    private static final int UNSIGNED_INT16 = 0x02;
    private static final int UNSIGNED_INT32 = 0x03;
    private static final int SIGNED_INT8 = 0x08;
    private static final int SIGNED_INT16 = 0x09;
    private static final int SIGNED_INT32 = 0x0a;
    private static final int HALF = 0x10;
    private static final int FLOAT = 0x20;

    private final ExecutorModule module;
    private final ExecutorContext context;
    private final GpuTexture texture;
    private MemoryRange memory;
    private long address;
    private long bytes;
    private int format = FLOAT;
    private int components = 1;
    private boolean readsIntegers;

    ExecutorTexture(ExecutorModule module, GpuTexture texture) {
        this.module = module;
        context = module.context();
        this.texture = texture;
    }

    ExecutorModule module() {
        return module;
    }

    ExecutorContext context() {
        return context;
    }

    /// @param range memory that contains the address
    void bind(MemoryRange range, long at, long length) {
        memory = range;
        address = at;
        bytes = length;
        update();
    }

    /// @param newFormat value of `CUarray_format`
    void format(int newFormat, int numberOfComponents) {
        texelFormat(newFormat, readsIntegers);
        format = newFormat;
        components = numberOfComponents;
        update();
    }

    void flags(int flags) {
        readsIntegers = (flags & CudaExecutor.READ_AS_INTEGER) != 0;
        update();
    }

    /// Applies the settings. Those of memory that the client has freed apply to the next memory.
    private void update() {
        if (memory != null && !memory.memory().isOpen()) {
            memory = null;
            texture.unbind();
        }
        if (memory == null) {
            return;
        }
        try {
            texture.bind(
                    memory.memory(),
                    address - memory.address(),
                    bytes,
                    texelFormat(format, readsIntegers),
                    components);
        } catch (GpuException e) {
            throw context.refusal(e);
        }
    }

    /// Returns the format of the texels. Without the flag, integers of 8 and 16 bits are converted
    /// to floats (CUDA driver API, `cuTexRefSetFlags`).
    private static TexelFormat texelFormat(int format, boolean readsIntegers) {
        return switch (format) {
            case UNSIGNED_INT8 -> readsIntegers ? TexelFormat.U8 : TexelFormat.UNORM8;
            case UNSIGNED_INT16 -> readsIntegers ? TexelFormat.U16 : TexelFormat.UNORM16;
            case UNSIGNED_INT32 -> TexelFormat.U32;
            case SIGNED_INT8 -> readsIntegers ? TexelFormat.S8 : TexelFormat.SNORM8;
            case SIGNED_INT16 -> readsIntegers ? TexelFormat.S16 : TexelFormat.SNORM16;
            case SIGNED_INT32 -> TexelFormat.S32;
            case HALF -> TexelFormat.F16;
            case FLOAT -> TexelFormat.F32;
            default ->
                    throw new CudaCallException(
                            CudaResult.INVALID_VALUE,
                            "texture format=%#x, expected a value of CUarray_format"
                                    .formatted(format));
        };
    }
}
