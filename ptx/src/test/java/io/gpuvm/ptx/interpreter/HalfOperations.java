package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxType;

/// Operations on floats of 16 bits and on pairs of them, as bits.
final class HalfOperations {
    private static final int SIGN = 0x8000;
    private static final int EXPONENT = 0x7C00;

    private HalfOperations() {}

    /// Returns the result of an operation with the type f16 or f16x2.
    static long evaluate(PtxOperation operation, long[] s) {
        long low = evaluate(operation, s, 0);
        return operation.type() == PtxType.F16
                ? low
                : low | evaluate(operation, s, Short.SIZE) << Short.SIZE;
    }

    private static long evaluate(PtxOperation operation, long[] s, int first) {
        boolean flushes = operation.has(PtxModifier.FTZ);
        int bits = operand(s[0], first, flushes);
        double a = number(bits);
        double b = number(operand(s[1], first, flushes));
        double c = number(operand(s[2], first, flushes));
        int result =
                switch (operation.opcode()) {
                    case NEG -> bits ^ SIGN;
                    case ABS -> bits & ~SIGN;
                    case ADD -> round(operation, ExactRounding.sumForNarrowing(a, b));
                    case SUB -> round(operation, ExactRounding.sumForNarrowing(a, -b));
                    case MUL -> round(operation, a * b);
                    case FMA -> round(operation, ExactRounding.sumForNarrowing(a * b, c));
                    case MIN -> round(operation, isOther(operation, a, b) ? b : least(a, b));
                    case MAX -> round(operation, isOther(operation, a, b) ? b : -least(-a, -b));
                    default -> throw new MachineFault("not implemented: " + operation.text());
                };
        return flushes ? flush(result) : result;
    }

    /// Returns whether the first operand of a minimum or maximum does not count.
    private static boolean isOther(PtxOperation operation, double a, double b) {
        return Double.isNaN(a) && !operation.has(PtxModifier.PROPAGATE)
                || Double.isNaN(b) && operation.has(PtxModifier.PROPAGATE);
    }

    private static double least(double a, double b) {
        return Double.isNaN(a) || Double.isNaN(b) ? a : Math.min(a, b);
    }

    private static int round(PtxOperation operation, double x) {
        boolean saturates = operation.has(PtxModifier.SAT);
        double clamped = saturates ? (x > 0 ? Math.min(x, 1) : 0) : x;
        return ExactRounding.toHalf(clamped, PtxModifier.RN);
    }

    private static int operand(long bits, int first, boolean flushes) {
        int half = (int) (bits >>> first) & 0xFFFF;
        return flushes ? flush(half) : half;
    }

    private static double number(int bits) {
        return Float.float16ToFloat((short) bits);
    }

    /// Returns a number of type f16 of which denormals become zero, if the operation does so.
    static double number(PtxOperation operation, long bits) {
        return number(operand(bits, 0, operation.has(PtxModifier.FTZ)));
    }

    private static int flush(int bits) {
        return (bits & EXPONENT) == 0 ? bits & SIGN : bits;
    }
}
