package io.gpuvm.gf100.isa;

/// Operand type of an atomic operation; codes as in the instruction, see [#of].
public enum AtomicType {
    U32(4, 4),
    /// Two registers.
    U64(5, 8),
    S32(7, 4),
    /// Rounds to nearest and flushes denormals.
    F32(11, 4);

    private final int code;
    private final int bytes;

    AtomicType(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /// Returns the type with this value of [Field#ATOMIC_TYPE].
    public static AtomicType of(int code) {
        for (AtomicType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        throw new IllegalArgumentException("atomicType=" + code + ", expected one of 4, 5, 7, 11");
    }

    /// Returns the value of [Field#ATOMIC_TYPE].
    public int code() {
        return code;
    }

    public int bytes() {
        return bytes;
    }
}
