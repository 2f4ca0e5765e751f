package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.classes.NumericFormat;

/// Formats of a texel's components in memory, and the types that a kernel receives.
public enum TexelFormat {
    U8(Byte.SIZE, NumericFormat.UINT),
    U16(Short.SIZE, NumericFormat.UINT),
    U32(Integer.SIZE, NumericFormat.UINT),
    S8(Byte.SIZE, NumericFormat.SINT),
    S16(Short.SIZE, NumericFormat.SINT),
    S32(Integer.SIZE, NumericFormat.SINT),
    /// Half precision; the kernel receives single precision.
    F16(Short.SIZE, NumericFormat.FLOAT),
    F32(Integer.SIZE, NumericFormat.FLOAT),
    /// Normalized integer; the kernel receives a float from 0 to 1.
    UNORM8(Byte.SIZE, NumericFormat.UNORM),
    /// Normalized integer; the kernel receives a float from 0 to 1.
    UNORM16(Short.SIZE, NumericFormat.UNORM),
    /// Normalized integer; the kernel receives a float from -1 to 1.
    SNORM8(Byte.SIZE, NumericFormat.SNORM),
    /// Normalized integer; the kernel receives a float from -1 to 1.
    SNORM16(Short.SIZE, NumericFormat.SNORM);

    private final int bits;
    private final NumericFormat encoding;

    TexelFormat(int bits, NumericFormat encoding) {
        this.bits = bits;
        this.encoding = encoding;
    }

    int bits() {
        return bits;
    }

    NumericFormat encoding() {
        return encoding;
    }
}
