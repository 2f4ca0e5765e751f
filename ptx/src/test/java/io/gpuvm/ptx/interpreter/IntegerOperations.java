package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxType;

/// Operations on integers and bits. Operands are the bits of the operands' types, without sign
/// extension.
final class IntegerOperations {
    private static final int BYTE_MASK = 0xFF;

    private IntegerOperations() {}

    /// Returns a number as a signed or unsigned integer of 64 bits, according to its type.
    static long extend(long bits, PtxType type) {
        int unused = Long.SIZE - type.bits();
        return type.isSigned() ? bits << unused >> unused : bits << unused >>> unused;
    }

    /// Returns the result of an operation without carry; the caller truncates it.
    static long evaluate(PtxOperation operation, long[] s) {
        PtxType type = operation.type();
        long a = extend(s[0], type);
        long b = extend(s[1], type);
        long c = extend(s[2], type);
        int bits = type.bits();
        boolean signed = type.isSigned();
        return switch (operation.opcode()) {
            case ADD -> operation.has(PtxModifier.SAT) ? clamp(a + b) : a + b;
            case SUB -> operation.has(PtxModifier.SAT) ? clamp(a - b) : a - b;
            case MUL -> product(operation, a, b);
            case MAD -> multiplyAdd(operation, a, b, s[2]);
            case MUL24 -> product24(operation, s[0], s[1]);
            case MAD24 -> multiplyAdd24(operation, s);
            case SAD -> c + (compare(a, b, signed) < 0 ? b - a : a - b);
            case DIV -> divide(a, b, signed);
            case REM -> remainder(a, b, signed);
            case ABS -> Math.abs(a);
            case NEG -> -a;
            case MIN -> compare(a, b, signed) < 0 ? a : b;
            case MAX -> compare(a, b, signed) > 0 ? a : b;
            case POPC -> Long.bitCount(a);
            case CLZ -> Long.numberOfLeadingZeros(a) - (Long.SIZE - bits);
            case BFIND -> highestBit(operation, a, bits, signed);
            case BREV -> Long.reverse(a) >>> Long.SIZE - bits;
            case BFE -> extract(a, (int) s[1] & BYTE_MASK, (int) s[2] & BYTE_MASK, bits, signed);
            case BFI -> insert(s, bits);
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
            case NOT -> type == PtxType.PRED ? a ^ 1 : ~a;
            case CNOT -> a == 0 ? 1 : 0;
            case LOP3 -> table(s, (int) s[3]);
            case SHF -> funnel(operation, s);
            case SHL -> shiftLeft(a, s[1], bits);
            case SHR -> shiftRight(a, s[1], bits, signed);
            case PRMT -> permute(operation, s);
            default -> throw new MachineFault("not implemented: " + operation.text());
        };
    }

    private static long clamp(long x) {
        return Math.clamp(x, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private static int compare(long a, long b, boolean signed) {
        return signed ? Long.compare(a, b) : Long.compareUnsigned(a, b);
    }

    /// Returns the part of a product that an operation wants.
    static long product(PtxOperation operation, long a, long b) {
        if (!operation.has(PtxModifier.HI)) {
            return a * b;
        }
        int bits = operation.type().bits();
        if (bits < Long.SIZE) {
            return a * b >> bits;
        }
        return operation.type().isSigned()
                ? Math.multiplyHigh(a, b)
                : Math.unsignedMultiplyHigh(a, b);
    }

    private static long multiplyAdd(PtxOperation operation, long a, long b, long c) {
        long product = product(operation, a, b);
        if (operation.has(PtxModifier.SAT)) {
            return clamp(product + (int) c);
        }
        return product + c;
    }

    /// Returns the bits 0 to 31 or 16 to 47 of the product of two numbers of 24 bits.
    private static long product24(PtxOperation operation, long a, long b) {
        final int unused = Long.SIZE - 24;
        boolean signed = operation.type().isSigned();
        long x = signed ? a << unused >> unused : a << unused >>> unused;
        long y = signed ? b << unused >> unused : b << unused >>> unused;
        long product = x * y;
        return operation.has(PtxModifier.HI) ? product >> Short.SIZE : product;
    }

    private static long multiplyAdd24(PtxOperation operation, long[] s) {
        int product = (int) product24(operation, s[0], s[1]);
        if (operation.has(PtxModifier.SAT)) {
            return clamp((long) product + (int) s[2]);
        }
        return product + s[2];
    }

    private static long divide(long a, long b, boolean signed) {
        if (b == 0) {
            return -1;
        }
        return signed ? a / b : Long.divideUnsigned(a, b);
    }

    private static long remainder(long a, long b, boolean signed) {
        if (b == 0) {
            return a;
        }
        return signed ? a % b : Long.remainderUnsigned(a, b);
    }

    private static long highestBit(PtxOperation operation, long a, int bits, boolean signed) {
        long significant = signed && a < 0 ? ~a : a;
        int highest = Long.SIZE - 1 - Long.numberOfLeadingZeros(significant);
        if (highest < 0) {
            return -1;
        }
        return operation.has(PtxModifier.SHIFTAMT) ? bits - 1 - highest : highest;
    }

    private static long extract(long a, int start, int length, int bits, boolean signed) {
        if (length == 0) {
            return 0;
        }
        int sign = Math.min(start + length - 1, bits - 1);
        long result = 0;
        for (int i = 0; i < bits; i++) {
            boolean inField = i < length && start + i < bits;
            long bit = inField ? a >> start + i & 1 : signed ? a >> sign & 1 : 0;
            result |= bit << i;
        }
        return result;
    }

    private static long insert(long[] s, int bits) {
        int start = (int) s[2] & BYTE_MASK;
        int length = (int) s[3] & BYTE_MASK;
        long result = s[1];
        for (int i = 0; i < length && start + i < bits; i++) {
            long bit = 1L << start + i;
            result = (s[0] >> i & 1) != 0 ? result | bit : result & ~bit;
        }
        return result;
    }

    private static long table(long[] s, int table) {
        long result = 0;
        for (int i = 0; i < Integer.SIZE; i++) {
            int index = (int) ((s[0] >> i & 1) << 2 | (s[1] >> i & 1) << 1 | s[2] >> i & 1);
            result |= (long) (table >> index & 1) << i;
        }
        return result;
    }

    private static long funnel(PtxOperation operation, long[] s) {
        long pair = s[1] << Integer.SIZE | s[0] & 0xFFFFFFFFL;
        long count = s[2] & 0xFFFFFFFFL;
        int shift =
                (int)
                        (operation.has(PtxModifier.CLAMP)
                                ? Math.min(count, Integer.SIZE)
                                : count % Integer.SIZE);
        if (operation.has(PtxModifier.R)) {
            return pair >>> shift;
        }
        return shift == 0 ? s[1] : pair >>> Integer.SIZE - shift;
    }

    private static long shiftLeft(long a, long count, int bits) {
        return count >= bits ? 0 : a << count;
    }

    private static long shiftRight(long a, long count, int bits, boolean signed) {
        if (count >= bits) {
            return signed ? a >> Long.SIZE - 1 : 0;
        }
        return signed ? a >> count : a >>> count;
    }

    private static long permute(PtxOperation operation, long[] s) {
        long pair = s[1] << Integer.SIZE | s[0] & 0xFFFFFFFFL;
        long result = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            int selector = selector(operation, (int) s[2], i);
            long value = pair >>> (selector & 7) * Byte.SIZE & BYTE_MASK;
            if ((selector & 8) != 0) {
                value = (value & 0x80) != 0 ? BYTE_MASK : 0;
            }
            result |= value << i * Byte.SIZE;
        }
        return result;
    }

    /// Returns the selector of a byte of the result of `prmt`.
    private static int selector(PtxOperation operation, int control, int index) {
        int c = control & 3;
        for (PtxModifier modifier : operation.modifiers()) {
            switch (modifier) {
                case F4E -> {
                    return c + index;
                }
                case B4E -> {
                    return c - index & 7;
                }
                case RC8 -> {
                    return c;
                }
                case ECL -> {
                    return Math.max(index, c);
                }
                case ECR -> {
                    return Math.min(index, c);
                }
                case RC16 -> {
                    return (c & 1) * 2 + (index & 1);
                }
                default -> {}
            }
        }
        return control >> index * 4 & 0xF;
    }
}
