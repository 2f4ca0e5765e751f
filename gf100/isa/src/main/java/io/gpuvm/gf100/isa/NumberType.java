package io.gpuvm.gf100.isa;

/// What conversions take and make. Integers: the code is twice the logarithm of the size, plus 1 if
/// signed. Floats have a code of their own range, so that one number says it all; see [#of].
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

    /// The one with that value of [Field#DST_TYPE] or [Field#SRC_TYPE].
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
