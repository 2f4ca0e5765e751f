package io.gpuvm.cuda.api.table;

/// Type of an operand or a result on the wire. All types except [#BYTES] are one little-endian word
/// of 64 bits.
public enum OperandType {
    /// Signed integer of 32 bits, extended with its sign.
    I32("int32_t", "int"),
    /// Unsigned integer of 8 bits.
    U8("uint8_t", "int"),
    /// Unsigned integer of 16 bits.
    U16("uint16_t", "int"),
    /// Unsigned integer of 32 bits; Java code holds its bits in an `int`.
    U32("uint32_t", "int"),
    /// Integer of 64 bits.
    U64("uint64_t", "long"),
    /// Float of 32 bits; its bits are in the lower half of the word.
    F32("float", "float"),
    /// Bytes of any number up to a limit: a word with the number, then the bytes, then zeros up to
    /// a multiple of 8 bytes.
    BYTES("const void *", "byte[]");

    private final String cType;
    private final String javaType;

    OperandType(String cType, String javaType) {
        this.cType = cType;
        this.javaType = javaType;
    }

    /// Returns the type of a C parameter for such an operand.
    public String cType() {
        return cType;
    }

    /// Returns the type of a Java component for such an operand.
    public String javaType() {
        return javaType;
    }
}
