package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVideoPart;
import java.math.BigInteger;
import java.util.Set;

/// Video instructions on one value.
final class VideoOperations {
    private static final Set<PtxModifier> SECONDARY =
            Set.of(PtxModifier.ADD, PtxModifier.MIN, PtxModifier.MAX);

    private static final int FIRST_RESULT_BITS = 34;
    private static final int SHORT_SHIFT = 7;
    private static final int LONG_SHIFT = 15;

    private VideoOperations() {}

    /// Returns a part of a register as a number.
    static long part(long bits, PtxVideoPart part, PtxType type) {
        int width =
                switch (part) {
                    case B0, B1, B2, B3 -> Byte.SIZE;
                    case H0, H1 -> Short.SIZE;
                    case WORD -> Integer.SIZE;
                };
        long field = bits >>> shift(part);
        int unused = Long.SIZE - width;
        return type.isSigned() ? field << unused >> unused : field << unused >>> unused;
    }

    private static int shift(PtxVideoPart part) {
        return switch (part) {
            case B0, H0, WORD -> 0;
            case B1 -> Byte.SIZE;
            case B2, H1 -> 2 * Byte.SIZE;
            case B3 -> 3 * Byte.SIZE;
        };
    }

    /// Returns the result of an instruction other than `vmad`.
    ///
    /// @param into part of the result that is written
    /// @param c third operand, or 0
    static long evaluate(PtxOperation operation, PtxVideoPart into, long a, long b, long c) {
        long result =
                switch (operation.opcode()) {
                    case VADD -> a + b;
                    case VSUB -> a - b;
                    case VABSDIFF -> Math.abs(a - b);
                    case VMIN -> Math.min(a, b);
                    case VMAX -> Math.max(a, b);
                    case VSHL -> firstResult(a << count(operation, b));
                    case VSHR -> a >> count(operation, b);
                    case VSET -> compare(operation, a, b) ? 1 : 0;
                    default -> throw new MachineFault("not implemented: " + operation.text());
                };
        boolean signed = operation.opcode() != PtxOpcode.VSET && operation.type().isSigned();
        if (operation.has(PtxModifier.SAT)) {
            result = saturate(result, into, signed);
        }
        PtxModifier second = operation.in(SECONDARY);
        if (second != null) {
            return secondary(second, (int) result, (int) c, signed);
        }
        return into == PtxVideoPart.WORD ? result : merge(result, into, c);
    }

    /// Returns the lowest 34 bits as a signed number: the size of the first result (PTX manual,
    /// "Scalar Video Instructions"), which only left shifts can exceed.
    private static long firstResult(long x) {
        int unused = Long.SIZE - FIRST_RESULT_BITS;
        return x << unused >> unused;
    }

    private static int count(PtxOperation operation, long b) {
        return (int)
                (operation.has(PtxModifier.WRAP)
                        ? b & Integer.SIZE - 1
                        : Math.min(b, Integer.SIZE));
    }

    private static boolean compare(PtxOperation operation, long a, long b) {
        return switch (operation.comparison()) {
            case EQ -> a == b;
            case NE -> a != b;
            case LT -> a < b;
            case LE -> a <= b;
            case GT -> a > b;
            default -> a >= b;
        };
    }

    private static long saturate(long x, PtxVideoPart into, boolean signed) {
        int bits =
                switch (into) {
                    case B0, B1, B2, B3 -> Byte.SIZE;
                    case H0, H1 -> Short.SIZE;
                    case WORD -> Integer.SIZE;
                };
        return signed
                ? Math.clamp(x, -(1L << bits - 1), (1L << bits - 1) - 1)
                : Math.clamp(x, 0, (1L << bits) - 1);
    }

    private static long secondary(PtxModifier operation, int x, int c, boolean signed) {
        int order = signed ? Integer.compare(x, c) : Integer.compareUnsigned(x, c);
        return switch (operation) {
            case ADD -> x + c;
            case MIN -> order < 0 ? x : c;
            default -> order > 0 ? x : c;
        };
    }

    private static long merge(long x, PtxVideoPart into, long c) {
        long mask =
                switch (into) {
                    case H0, H1 -> 0xFFFF;
                    default -> 0xFF;
                };
        int shift = shift(into);
        return c & ~(mask << shift) | (x & mask) << shift;
    }

    /// Returns the result of `vmad`.
    static long multiplyAdd(
            PtxOperation operation, long a, long b, int c, boolean minusProduct, boolean minusC) {
        boolean signed =
                operation.types().get(1).isSigned()
                        || operation.types().get(2).isSigned()
                        || minusProduct
                        || minusC;
        BigInteger product = BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
        long third = signed ? c : Integer.toUnsignedLong(c);
        BigInteger sum =
                (minusProduct ? product.negate() : product)
                        .add(BigInteger.valueOf(minusC ? -third : third));
        if (operation.has(PtxModifier.PO)) {
            sum = sum.add(BigInteger.ONE);
        }
        BigInteger shifted =
                sum.shiftRight(
                        operation.has(PtxModifier.SHR7)
                                ? SHORT_SHIFT
                                : operation.has(PtxModifier.SHR15) ? LONG_SHIFT : 0);
        if (operation.has(PtxModifier.SAT)) {
            BigInteger least = signed ? BigInteger.valueOf(Integer.MIN_VALUE) : BigInteger.ZERO;
            BigInteger most =
                    BigInteger.valueOf(signed ? Integer.MAX_VALUE : (1L << Integer.SIZE) - 1);
            return shifted.max(least).min(most).longValue();
        }
        return shifted.longValue();
    }
}
