package io.gpuvm.gf100.classes;

/// Interpretation of a channel's bits.
///
/// Conversions follow section 3.2 of the Direct3D 11.3 functional specification, which the hardware
/// implements. Numbers are rounded to nearest, ties to even. An out-of-range number becomes the
/// closest value, which is infinity for half precision. NaN becomes 0 in formats without NaN.
public enum NumericFormat {
    /// Number from 0 to 1.
    UNORM {
        @Override
        long encode(int word, int bits) {
            return round(clamp(Float.intBitsToFloat(word), 0) * ones(bits));
        }

        @Override
        int decode(long stored, int bits) {
            return Float.floatToRawIntBits((float) ((double) stored / ones(bits)));
        }
    },
    /// Number from -1 to 1.
    SNORM {
        @Override
        long encode(int word, int bits) {
            return round(clamp(Float.intBitsToFloat(word), -1) * ones(bits - 1)) & ones(bits);
        }

        @Override
        int decode(long stored, int bits) {
            double value = (double) signed(stored, bits) / ones(bits - 1);
            return Float.floatToRawIntBits((float) Math.max(value, -1));
        }
    },
    UINT {
        @Override
        long encode(int word, int bits) {
            return Math.min(Integer.toUnsignedLong(word), ones(bits));
        }

        @Override
        int decode(long stored, int bits) {
            return (int) stored;
        }
    },
    SINT {
        @Override
        long encode(int word, int bits) {
            long most = ones(bits - 1);
            return Math.clamp(word, -most - 1, most) & ones(bits);
        }

        @Override
        int decode(long stored, int bits) {
            return (int) signed(stored, bits);
        }
    },
    /// IEEE single or half precision; formats of 11 or 10 bits have no sign.
    FLOAT {
        @Override
        long encode(int word, int bits) {
            return switch (bits) {
                case Float.SIZE -> Integer.toUnsignedLong(word);
                case Short.SIZE ->
                        Short.toUnsignedInt(Float.floatToFloat16(Float.intBitsToFloat(word)));
                default -> unsignedFloat(Float.intBitsToFloat(word), bits - EXPONENT_BITS);
            };
        }

        @Override
        int decode(long stored, int bits) {
            return switch (bits) {
                case Float.SIZE -> (int) stored;
                case Short.SIZE -> Float.floatToRawIntBits(Float.float16ToFloat((short) stored));
                // Half precision has the same exponent and a longer mantissa.
                default ->
                        Float.floatToRawIntBits(
                                Float.float16ToFloat((short) (stored << Short.SIZE - 1 - bits)));
            };
        }
    },
    /// [#UNORM] with the sRGB transfer function.
    SRGB {
        @Override
        long encode(int word, int bits) {
            double linear = clamp(Float.intBitsToFloat(word), 0);
            double curved =
                    linear <= SRGB_LINEAR_BELOW
                            ? linear * SRGB_SLOPE
                            : (1 + SRGB_OFFSET) * Math.pow(linear, 1 / SRGB_GAMMA) - SRGB_OFFSET;
            return round(curved * ones(bits));
        }

        @Override
        int decode(long stored, int bits) {
            double curved = (double) stored / ones(bits);
            double linear =
                    curved <= SRGB_LINEAR_BELOW * SRGB_SLOPE
                            ? curved / SRGB_SLOPE
                            : Math.pow((curved + SRGB_OFFSET) / (1 + SRGB_OFFSET), SRGB_GAMMA);
            return Float.floatToRawIntBits((float) linear);
        }

        @Override
        NumericFormat linear() {
            return UNORM;
        }
    };

    // IEC 61966-2-1.
    private static final double SRGB_LINEAR_BELOW = 0.0031308;
    private static final double SRGB_SLOPE = 12.92;
    private static final double SRGB_OFFSET = 0.055;
    private static final double SRGB_GAMMA = 2.4;

    /// Number of exponent bits of half precision and of the two formats without a sign.
    private static final int EXPONENT_BITS = 5;

    private static final int EXPONENT_BIAS = 15;
    private static final int LARGEST_EXPONENT = 30;

    /// Returns the stored form of a value, at bit 0.
    ///
    /// @param word a float, or an integer for [#UINT] and [#SINT]
    /// @param bits number of stored bits, 1 to 32
    abstract long encode(int word, int bits);

    /// Returns the value of stored bits: a float, or an integer for [#UINT] and [#SINT].
    abstract int decode(long stored, int bits);

    /// Returns whether values are integers instead of floats.
    boolean isInteger() {
        return this == UINT || this == SINT;
    }

    /// Returns the encoding without the sRGB transfer function.
    NumericFormat linear() {
        return this;
    }

    private static long ones(int bits) {
        return (1L << bits) - 1;
    }

    private static long signed(long stored, int bits) {
        return stored << Long.SIZE - bits >> Long.SIZE - bits;
    }

    private static long round(double value) {
        return (long) Math.rint(value);
    }

    private static double clamp(float value, int least) {
        return Float.isNaN(value) ? 0 : Math.clamp((double) value, least, 1);
    }

    private static long unsignedFloat(float value, int mantissaBits) {
        long infinity = ones(EXPONENT_BITS) << mantissaBits;
        if (Float.isNaN(value)) {
            return infinity | 1;
        }
        if (value <= 0) {
            return 0;
        }
        if (value == Float.POSITIVE_INFINITY) {
            return infinity;
        }
        // If the mantissa is all ones, rounding up carries into the exponent, as required.
        int exponent = Math.max(Math.getExponent(value), 1 - EXPONENT_BIAS);
        long mantissa = round(Math.scalb((double) value, mantissaBits - exponent));
        boolean denormal = mantissa < 1L << mantissaBits;
        long biased = denormal ? 0 : exponent + EXPONENT_BIAS - 1L;
        long encoded = (biased << mantissaBits) + mantissa;
        return Math.min(encoded, ((long) LARGEST_EXPONENT + 1 << mantissaBits) - 1);
    }
}
