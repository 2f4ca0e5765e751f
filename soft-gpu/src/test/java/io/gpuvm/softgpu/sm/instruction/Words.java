package io.gpuvm.softgpu.sm.instruction;

import java.math.BigInteger;

/// Conversions between words and numbers.
final class Words {
    private Words() {}

    static BigInteger big(int number) {
        return BigInteger.valueOf(number);
    }

    static BigInteger ubig(int number) {
        return BigInteger.valueOf(Integer.toUnsignedLong(number));
    }

    /// Returns the word that instructions produce for a truth value.
    static int mask(boolean is) {
        return is ? -1 : 0;
    }

    static int low(long number) {
        return (int) number;
    }

    static int high(long number) {
        return (int) (number >>> Integer.SIZE);
    }

    static int low(double number) {
        return low(Double.doubleToRawLongBits(number));
    }

    static int high(double number) {
        return high(Double.doubleToRawLongBits(number));
    }

    static int bits(float number) {
        return Float.floatToRawIntBits(number);
    }
}
