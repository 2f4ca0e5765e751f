package io.gpuvm.gf100.isa;

/// Source and result types of conversions. The code of an integer type is twice the binary
/// logarithm of its size in bytes, plus 1 if signed. Float codes have a separate range, so that a
/// single number identifies the type; see [#of].
public enum NumberType {
    U8(1, false, false),
    S8(1, true, false),
    U16(2, false, false),
    S16(2, true, false),
    U32(4, false, false),
    S32(4, true, false),
    U64(8, false, false),
    S64(8, true, false),
    /// Half precision, in the lower half of a register.
    F16(2, true, true),
    F32(4, true, true),
    F64(8, true, true);

    private static final NumberType[] ALL = values();

    private final int bytes;
    private final boolean signed;
    private final boolean isFloat;

    NumberType(int bytes, boolean signed, boolean isFloat) {
        this.bytes = bytes;
        this.signed = signed;
        this.isFloat = isFloat;
    }

    /// Returns the type with this value of [Field#DST_TYPE] or [Field#SRC_TYPE].
    public static NumberType of(int code) {
        return ALL[code];
    }

    public int bytes() {
        return bytes;
    }

    public boolean signed() {
        return signed;
    }

    public boolean isFloat() {
        return isFloat;
    }
}
