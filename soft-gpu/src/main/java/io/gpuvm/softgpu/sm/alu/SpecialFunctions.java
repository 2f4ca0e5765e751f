package io.gpuvm.softgpu.sm.alu;

import io.gpuvm.gf100.isa.MufuFunction;

/// Functions of the multi-function unit. Denormal operands and results are flushed, as in hardware.
///
/// Results are computed in double precision and rounded to single, and are therefore well within
/// the hardware's error bounds (CUDA programming guide, "Intrinsic functions": 1 to 2 units in the
/// last place, 2^-21.4 absolute for sines). On hardware, a preceding instruction reduces the
/// operand's range for sine, cosine and power; its result format is not documented. In this
/// implementation, that instruction copies its operand, and these functions accept any number.
public final class SpecialFunctions {
    private static final MufuFunction[] FUNCTIONS = MufuFunction.values();

    private SpecialFunctions() {}

    /// Evaluates a function (MUFU).
    ///
    /// @param function ordinal of [MufuFunction]
    public static int apply(int function, int x) {
        return switch (FUNCTIONS[function]) {
            case COS -> cosine(x);
            case SIN -> sine(x);
            case EX2 -> power(x);
            case LG2 -> logarithm(x);
            case RCP -> reciprocal(x);
            case RSQ -> reciprocalRoot(x);
            case RCP64H -> reciprocalHigh(x);
            case RSQ64H -> reciprocalRootHigh(x);
        };
    }

    public static int reciprocal(int bits) {
        return result(1 / operand(bits));
    }

    public static int reciprocalRoot(int bits) {
        return result(1 / Math.sqrt(operand(bits)));
    }

    public static int sine(int bits) {
        return result(Math.sin(operand(bits)));
    }

    public static int cosine(int bits) {
        return result(Math.cos(operand(bits)));
    }

    /// Returns 2^x.
    public static int power(int bits) {
        return result(Math.pow(2, operand(bits)));
    }

    /// Returns the logarithm to base 2.
    public static int logarithm(int bits) {
        double x = operand(bits);
        int exponent = Math.getExponent(x);
        if (!(x > 0) || exponent > Float.MAX_EXPONENT) {
            return result(Math.log(x));
        }
        // The result is exact for powers of two, because the computed part is the logarithm of 1.
        double fraction = Math.scalb(x, -exponent);
        return result(exponent + Math.log(fraction) / Math.log(2));
    }

    /// Returns the upper word of a double's reciprocal, from the upper word of the double.
    public static int reciprocalHigh(int bits) {
        return high(1 / wide(bits));
    }

    /// Returns the upper word of a double's reciprocal square root, from the upper word of the
    /// double.
    public static int reciprocalRootHigh(int bits) {
        return high(1 / Math.sqrt(wide(bits)));
    }

    private static double operand(int bits) {
        return Float.intBitsToFloat(Floats.flush(bits));
    }

    private static int result(double value) {
        return Floats.flush(Floats.bits((float) value));
    }

    private static double wide(int bits) {
        double value = Double.longBitsToDouble((long) bits << Integer.SIZE);
        return Math.abs(value) < Double.MIN_NORMAL ? Math.copySign(0.0, value) : value;
    }

    private static int high(double value) {
        if (value != value) {
            return (int) (Doubles.NAN >>> Integer.SIZE);
        }
        double flushed = Math.abs(value) < Double.MIN_NORMAL ? Math.copySign(0.0, value) : value;
        return (int) (Double.doubleToRawLongBits(flushed) >>> Integer.SIZE);
    }
}
