package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.SourcePosition;

/// Converts constants to the types of operands and variables.
final class Immediates {
    private Immediates() {}

    /// Returns the bits of a constant as a type. Integers are taken modulo the width; decimal
    /// numbers are rounded to the nearest number of the type.
    ///
    /// @throws CheckException if the type does not admit the constant
    static long bits(SourcePosition at, Constant value, PtxType type) {
        return switch (value) {
            case Constant.Whole whole -> whole(at, whole, type);
            case Constant.Real real -> real(at, real, type);
            case Constant.Address address ->
                    throw new CheckException(at, "expected a number, not an address");
        };
    }

    private static long whole(SourcePosition at, Constant.Whole value, PtxType type) {
        if (type.isFloat()) {
            throw new CheckException(
                    at,
                    "%d: expected a floating-point number of type .%s, such as 1.0 or %s"
                            .formatted(
                                    value.value(),
                                    type.word(),
                                    type == PtxType.F64 ? "0d3FF0000000000000" : "0f3F800000"));
        }
        if (type == PtxType.PRED) {
            return value.value() == 0 ? 0 : 1;
        }
        return value.value() & mask(type);
    }

    private static long real(SourcePosition at, Constant.Real value, PtxType type) {
        return switch (type) {
            case F64 -> Double.doubleToRawLongBits(value.value());
            case F32 ->
                    value.single()
                            ? value.bits()
                            : Integer.toUnsignedLong(
                                    Float.floatToRawIntBits((float) value.value()));
            case F16 -> Float.floatToFloat16((float) value.value()) & 0xFFFFL;
            case B32, U32, S32 -> {
                if (value.single()) {
                    yield value.bits();
                }
                throw noInteger(at, type);
            }
            case B64, U64, S64 -> {
                if (!value.single()) {
                    yield value.bits();
                }
                throw noInteger(at, type);
            }
            default -> throw noInteger(at, type);
        };
    }

    private static CheckException noInteger(SourcePosition at, PtxType type) {
        return new CheckException(
                at, "floating-point number: expected a constant of type ." + type.word());
    }

    /// Returns the mask of the bits of a type.
    static long mask(PtxType type) {
        return type.bits() == Long.SIZE ? -1 : (1L << type.bits()) - 1;
    }
}
