package io.gpuvm.ptx.clang;

import java.util.Arrays;
import java.util.List;

/// Scalar type of random kernels.
enum CType {
    U8(8, Kind.UNSIGNED),
    S8(8, Kind.SIGNED),
    U16(16, Kind.UNSIGNED),
    S16(16, Kind.SIGNED),
    U32(32, Kind.UNSIGNED),
    S32(32, Kind.SIGNED),
    U64(64, Kind.UNSIGNED),
    S64(64, Kind.SIGNED),
    F32(32, Kind.FLOATING),
    F64(64, Kind.FLOATING);

    private static final List<CType> ALL = List.of(values());
    private static final List<CType> WHOLE =
            Arrays.stream(values()).filter(type -> !type.isFloating()).toList();

    private final int bits;
    private final Kind kind;

    private enum Kind {
        UNSIGNED,
        SIGNED,
        FLOATING
    }

    CType(int bits, Kind kind) {
        this.bits = bits;
        this.kind = kind;
    }

    static List<CType> all() {
        return ALL;
    }

    /// Returns the integer types.
    static List<CType> whole() {
        return WHOLE;
    }

    int bits() {
        return bits;
    }

    boolean isFloating() {
        return kind == Kind.FLOATING;
    }

    boolean isSigned() {
        return kind == Kind.SIGNED;
    }

    /// Returns whether registers of the GPU have the type's width.
    boolean isWide() {
        return bits >= Integer.SIZE;
    }

    /// Returns the name in the source.
    String text() {
        return switch (this) {
            case U8 -> "u8";
            case S8 -> "s8";
            case U16 -> "u16";
            case S16 -> "s16";
            case U32 -> "u32";
            case S32 -> "s32";
            case U64 -> "u64";
            case S64 -> "s64";
            case F32 -> "f32";
            case F64 -> "f64";
        };
    }
}
