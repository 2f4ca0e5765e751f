package io.gpuvm.ptx.check;

import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Type of a register, variable or instruction.
public enum PtxType {
    B8(Kind.BITS, 1),
    B16(Kind.BITS, 2),
    B32(Kind.BITS, 4),
    B64(Kind.BITS, 8),
    U8(Kind.UNSIGNED, 1),
    U16(Kind.UNSIGNED, 2),
    U32(Kind.UNSIGNED, 4),
    U64(Kind.UNSIGNED, 8),
    S8(Kind.SIGNED, 1),
    S16(Kind.SIGNED, 2),
    S32(Kind.SIGNED, 4),
    S64(Kind.SIGNED, 8),
    F16(Kind.FLOAT, 2),
    F16X2(Kind.FLOAT, 4),
    F32(Kind.FLOAT, 4),
    F64(Kind.FLOAT, 8),
    PRED(Kind.PREDICATE, 0),
    TEXREF(Kind.OPAQUE, 8),
    SAMPLERREF(Kind.OPAQUE, 8),
    SURFREF(Kind.OPAQUE, 8);

    private static final Map<String, PtxType> BY_WORD =
            Stream.of(values())
                    .collect(Collectors.toUnmodifiableMap(PtxType::word, Function.identity()));

    private final Kind kind;
    private final int bytes;

    PtxType(Kind kind, int bytes) {
        this.kind = kind;
        this.bytes = bytes;
    }

    /// Returns the type with a name, or null.
    static PtxType of(String word) {
        return BY_WORD.get(word);
    }

    /// Returns the interpretation of the bits.
    public Kind kind() {
        return kind;
    }

    /// Returns the size in bytes; 0 for a predicate.
    public int bytes() {
        return bytes;
    }

    /// Returns the size in bits; 1 for a predicate.
    public int bits() {
        return kind == Kind.PREDICATE ? 1 : bytes * Byte.SIZE;
    }

    /// Returns whether the type is signed or unsigned; types of bits are neither.
    public boolean isInteger() {
        return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
    }

    /// Returns whether the type is signed.
    public boolean isSigned() {
        return kind == Kind.SIGNED;
    }

    /// Returns whether the type is a floating-point type.
    public boolean isFloat() {
        return kind == Kind.FLOAT;
    }

    /// Returns the name without its dot, for instance `u32`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Interpretation of bits.
    public enum Kind {
        BITS,
        UNSIGNED,
        SIGNED,
        FLOAT,
        PREDICATE,
        /// Handle of a texture, sampler or surface.
        OPAQUE
    }
}
