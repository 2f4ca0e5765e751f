package io.gpuvm.softgpu.sm.alu;

/// Conversions between number formats, and rounding to integral values.
public final class Conversions {
    private static final int HALF_SIGN = 1 << Short.SIZE - 1;
    private static final int HALF_NAN = HALF_SIGN - 1;

    private Conversions() {}

    /// Returns the operand of F2F and F2I: in single precision, unless it is a double.
    ///
    /// @param value contents of one register or two
    /// @param bits size of the number, in bits
    /// @param part index of the half, if the number is half a register
    /// @param keep mask of the bits of the upper word to keep: all bits, or all except the sign
    /// @param sign mask of the bits of the upper word to invert
    public static long floatOperand(
            long value, int bits, int part, int keep, int sign, boolean flushes) {
        if (bits == Long.SIZE) {
            long kept = keep == -1 ? -1 : Long.MAX_VALUE;
            return value & kept ^ (long) sign << Integer.SIZE;
        }
        int word = (int) value;
        if (bits == Short.SIZE) {
            word = fromHalf(word >>> part * Short.SIZE);
        }
        word = word & keep ^ sign;
        return flushes ? Floats.flush(word) : word;
    }

    /// Returns the operand of I2F and I2I.
    ///
    /// @param part index of the part, if the number is part of a register
    public static long integerOperand(long value, int bits, boolean signed, int part) {
        int shift = bits < Integer.SIZE ? part * bits : 0;
        return truncate(value >>> shift, bits, signed);
    }

    /// Converts between floating-point formats (F2F).
    ///
    /// @param value number in single precision unless `from` is 64
    /// @param from size of the operand, in bits
    /// @param to size of the result, in bits
    /// @param whole whether the result is rounded to an integral value
    public static long floatToFloat(
            long value,
            int from,
            int to,
            int rounding,
            boolean whole,
            boolean flushes,
            boolean saturates) {
        if (from == Long.SIZE) {
            return to == Long.SIZE
                    ? sameDouble(value, rounding, whole, saturates)
                    : finish(
                            toFloat(Double.longBitsToDouble(value), rounding),
                            to,
                            rounding,
                            flushes,
                            saturates);
        }
        int bits = (int) value;
        if (to == Long.SIZE) {
            long wide = toDouble(bits);
            return saturates ? saturate(wide) : wide;
        }
        if (whole) {
            bits = Floats.round(whole(Float.intBitsToFloat(bits), rounding), 0);
        }
        return finish(Floats.bits(Float.intBitsToFloat(bits)), to, rounding, flushes, saturates);
    }

    private static long sameDouble(long value, int rounding, boolean whole, boolean saturates) {
        double number = Double.longBitsToDouble(value);
        if (number != number) {
            return saturates ? 0 : Doubles.add(value, value, 0);
        }
        double result = whole ? whole(number, rounding) : number;
        long bits = Double.doubleToRawLongBits(result);
        return saturates ? saturate(bits) : bits;
    }

    private static long finish(int bits, int to, int rounding, boolean flushes, boolean saturates) {
        int result = flushes ? Floats.flush(bits) : bits;
        result = saturates ? Floats.saturate(result) : result;
        return to == Short.SIZE ? toHalf(result, rounding) : result;
    }

    private static long saturate(long bits) {
        double value = Double.longBitsToDouble(bits);
        return value > 0 ? Double.doubleToRawLongBits(Math.min(value, 1)) : 0;
    }

    /// Converts a floating-point number to an integer (F2I).
    ///
    /// @param value as for [#floatToFloat]
    public static long floatToInteger(long value, int from, int to, boolean signed, int rounding) {
        double number =
                from == Long.SIZE
                        ? Double.longBitsToDouble(value)
                        : Float.intBitsToFloat((int) value);
        return toInteger(number, from, rounding, to, signed);
    }

    /// Converts an integer to a floating-point number (I2F).
    ///
    /// @param signed whether the operand is signed
    /// @param keep all ones to keep the operand's sign; otherwise its magnitude is converted
    /// @param sign nonzero to negate
    public static long integerToFloat(
            long value, boolean signed, int to, int keep, int sign, int rounding) {
        boolean isBelow = signed && value < 0;
        long magnitude = isBelow ? -value : value;
        boolean negative = (isBelow && keep == -1) ^ sign != 0;
        if (to == Long.SIZE) {
            return toDouble(negative, magnitude, rounding);
        }
        // Negative zero does not occur here: the negation applies to the integer.
        int bits = toFloat(negative && magnitude != 0, magnitude, rounding);
        return to == Short.SIZE ? toHalf(bits, rounding) : bits;
    }

    /// Converts between integer formats (I2I).
    ///
    /// @param keep all ones to keep the operand's sign; otherwise its magnitude is used
    /// @param sign nonzero to negate
    public static long integerToInteger(
            long value, int to, boolean signed, int keep, int sign, boolean saturates) {
        long magnitude = keep == -1 || value >= 0 ? value : -value;
        long result = sign == 0 ? magnitude : -magnitude;
        return saturates && to < Long.SIZE
                ? clamp(result, to, signed)
                : truncate(result, to, signed);
    }

    /// Rounds to an integral value, and preserves the sign of a zero.
    public static double whole(double value, int rounding) {
        return switch (rounding) {
            case RoundingModes.NEAREST -> Math.rint(value);
            case RoundingModes.DOWN -> Math.floor(value);
            case RoundingModes.UP -> Math.ceil(value);
            default -> value < 0 ? Math.ceil(value) : Math.floor(value);
        };
    }

    /// Converts a number to an integer of a given size, clamped to the integer's range. NaN becomes
    /// the highest bit alone if the operand is a double or the integer has 64 bits, otherwise 0
    /// (PTX manual, `cvt`).
    ///
    /// @param from size of the operand, in bits
    /// @param bits size of the integer: 8, 16, 32 or 64
    private static long toInteger(double value, int from, int rounding, int bits, boolean signed) {
        if (value != value) {
            boolean isWide = from == Long.SIZE || bits == Long.SIZE;
            return isWide ? truncate(1L << bits - 1, bits, signed) : 0;
        }
        double whole = whole(value, rounding);
        if (bits == Long.SIZE) {
            return signed ? (long) whole : toUnsigned(whole);
        }
        // The cast clamps to 64 bits; smaller sizes are clamped further here.
        return clamp((long) whole, bits, signed);
    }

    /// Clamps to the range of an integer of 8, 16 or 32 bits.
    public static long clamp(long value, int bits, boolean signed) {
        long most = signed ? (1L << bits - 1) - 1 : (1L << bits) - 1;
        long least = signed ? -(1L << bits - 1) : 0;
        return Math.clamp(value, least, most);
    }

    /// Truncates a value to an integer of a given size.
    public static long truncate(long value, int bits, boolean signed) {
        int unused = Long.SIZE - bits;
        return signed ? value << unused >> unused : value << unused >>> unused;
    }

    /// Converts an integer to single precision.
    ///
    /// @param negative whether the number is `-magnitude`
    /// @param magnitude unsigned
    public static int toFloat(boolean negative, long magnitude, int rounding) {
        // Bits that do not fit in a double are combined into a sticky lowest bit.
        int surplus = Math.max(0, Long.SIZE - 53 - Long.numberOfLeadingZeros(magnitude));
        long kept = magnitude >>> surplus;
        long lost = magnitude ^ kept << surplus;
        double exact = Math.scalb((double) (kept | (lost != 0 ? 1 : 0)), surplus);
        return Floats.round(negative ? -exact : exact, rounding);
    }

    /// Converts an integer to double precision.
    public static long toDouble(boolean negative, long magnitude, int rounding) {
        return ExactDouble.pack(negative && magnitude != 0, 0, 0, magnitude, rounding);
    }

    /// Converts a double to single precision.
    public static int toFloat(double value, int rounding) {
        return Floats.round(value, rounding);
    }

    /// Converts single to double precision; a NaN becomes [Doubles#NAN].
    public static long toDouble(int bits) {
        float value = Float.intBitsToFloat(bits);
        return value != value ? Doubles.NAN : Double.doubleToRawLongBits(value);
    }

    /// Converts single to half precision.
    public static int toHalf(int bits, int rounding) {
        float value = Float.intBitsToFloat(bits);
        if (value != value) {
            return HALF_NAN;
        }
        int nearest = Short.toUnsignedInt(Float.floatToFloat16(value));
        float back = Float.float16ToFloat((short) nearest);
        if (rounding == RoundingModes.NEAREST || back == value) {
            return nearest;
        }
        boolean away = Math.abs(back) > Math.abs(value);
        long magnitude = RoundingModes.adjust(nearest & HALF_NAN, away, !away, value < 0, rounding);
        return (int) magnitude | nearest & HALF_SIGN;
    }

    /// Converts half to single precision.
    public static int fromHalf(int half) {
        return Floats.bits(Float.float16ToFloat((short) half));
    }

    private static long toUnsigned(double whole) {
        if (whole <= 0) {
            return 0;
        }
        if (whole < 0x1p63) {
            return (long) whole;
        }
        return whole < 0x1p64 ? (long) (whole - 0x1p63) + Long.MIN_VALUE : -1;
    }
}
