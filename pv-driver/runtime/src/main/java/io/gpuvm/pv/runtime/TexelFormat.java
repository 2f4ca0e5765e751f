package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.classes.Encoding;

/// What a channel of a texel is in memory, and what a kernel gets of it.
public enum TexelFormat {
    U8(Byte.SIZE, Encoding.UINT),
    U16(Short.SIZE, Encoding.UINT),
    U32(Integer.SIZE, Encoding.UINT),
    S8(Byte.SIZE, Encoding.SINT),
    S16(Short.SIZE, Encoding.SINT),
    S32(Integer.SIZE, Encoding.SINT),
    /// Half precision; the kernel gets single precision.
    F16(Short.SIZE, Encoding.FLOAT),
    F32(Integer.SIZE, Encoding.FLOAT),
    /// The kernel gets a float from 0 to 1.
    UNORM8(Byte.SIZE, Encoding.UNORM),
    /// The kernel gets a float from 0 to 1.
    UNORM16(Short.SIZE, Encoding.UNORM),
    /// The kernel gets a float from -1 to 1.
    SNORM8(Byte.SIZE, Encoding.SNORM),
    /// The kernel gets a float from -1 to 1.
    SNORM16(Short.SIZE, Encoding.SNORM);

    private final int bits;
    private final Encoding encoding;

    TexelFormat(int bits, Encoding encoding) {
        this.bits = bits;
        this.encoding = encoding;
    }

    int bits() {
        return bits;
    }

    Encoding encoding() {
        return encoding;
    }
}
