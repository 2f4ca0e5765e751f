package io.gpuvm.softgpu.sm.alu;

/// Between number formats, and to whole numbers.
public final class Conversions {
    private static final int HALF_SIGN = 1 << Short.SIZE - 1;
    private static final int HALF_NAN = HALF_SIGN - 1;

    private Conversions() {}

    /// Rounds to a whole number, keeping a zero's sign.
    public static double whole(double value, int rounding) {
        return switch (rounding) {
            case Rounding.NEAREST -> Math.rint(value);
            case Rounding.DOWN -> Math.floor(value);
            case Rounding.UP -> Math.ceil(value);
            default -> value < 0 ? Math.ceil(value) : Math.floor(value);
        };
    }

    /// A number as an integer of some bits, clamped to what fits; NaN gives 0, of 64 bits the
    /// highest bit alone (PTX manual, `cvt`).
    ///
    /// @param bits 8, 16, 32 or 64
    public static long toInteger(double value, int rounding, int bits, boolean signed) {
        if (value != value) {
            return bits == Long.SIZE ? Long.MIN_VALUE : 0;
        }
        double whole = whole(value, rounding);
        if (bits == Long.SIZE) {
            return signed ? (long) whole : toUnsigned(whole);
        }
        // The cast clamps to 64 bits, all of which are more than wanted.
        return clamp((long) whole, bits, signed);
    }

    /// Clamps to the range of an integer of 8, 16 or 32 bits.
    public static long clamp(long value, int bits, boolean signed) {
        long most = signed ? (1L << bits - 1) - 1 : (1L << bits) - 1;
        long least = signed ? -(1L << bits - 1) : 0;
        return Math.clamp(value, least, most);
    }

    /// Takes the low bits of a value as an integer.
    public static long truncate(long value, int bits, boolean signed) {
        int unused = Long.SIZE - bits;
        return signed ? value << unused >> unused : value << unused >>> unused;
    }

    /// An integer in single precision.
    ///
    /// @param negative whether the number is `-magnitude`
    /// @param magnitude unsigned
    public static int toFloat(boolean negative, long magnitude, int rounding) {
        // What does not fit a double stays visible in its lowest bit.
        int surplus = Math.max(0, Long.SIZE - 53 - Long.numberOfLeadingZeros(magnitude));
        long kept = magnitude >>> surplus;
        long lost = magnitude ^ kept << surplus;
        double exact = Math.scalb((double) (kept | (lost != 0 ? 1 : 0)), surplus);
        return Floats.round(negative ? -exact : exact, rounding);
    }

    /// An integer in double precision.
    public static long toDouble(boolean negative, long magnitude, int rounding) {
        return ExactDouble.pack(negative && magnitude != 0, 0, 0, magnitude, rounding);
    }

    /// A double in single precision.
    public static int toFloat(double value, int rounding) {
        return Floats.round(value, rounding);
    }

    /// Single to double precision; a NaN becomes the double's own.
    public static long toDouble(int bits) {
        float value = Float.intBitsToFloat(bits);
        return value != value ? Doubles.NAN : Double.doubleToRawLongBits(value);
    }

    /// Single to half precision.
    public static int toHalf(int bits, int rounding) {
        float value = Float.intBitsToFloat(bits);
        if (value != value) {
            return HALF_NAN;
        }
        int nearest = Short.toUnsignedInt(Float.floatToFloat16(value));
        float back = Float.float16ToFloat((short) nearest);
        if (rounding == Rounding.NEAREST || back == value) {
            return nearest;
        }
        boolean away = Math.abs(back) > Math.abs(value);
        long magnitude = Rounding.adjust(nearest & HALF_NAN, away, !away, value < 0, rounding);
        return (int) magnitude | nearest & HALF_SIGN;
    }

    /// Half to single precision.
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
