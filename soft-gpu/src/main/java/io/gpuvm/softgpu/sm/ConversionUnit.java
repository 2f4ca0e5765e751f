package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.NumberType;
import io.gpuvm.softgpu.sm.alu.Conversions;
import io.gpuvm.softgpu.sm.alu.Doubles;
import io.gpuvm.softgpu.sm.alu.Floats;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;

/// F2F, F2I, I2F, I2I: from one number format to another, and to whole numbers.
final class ConversionUnit {
    private static final int LANES = Rows.LANES;
    private static final long LOW = 0xffff_ffffL;
    private static final NumberType[] TYPES = NumberType.values();

    private final Operands operands;

    ConversionUnit(Operands operands) {
        this.operands = operands;
    }

    void floatToFloat(Warp warp, Instruction i, int mask) {
        NumberType from = TYPES[i.mode2];
        NumberType to = TYPES[i.mode];
        int b = source(warp, i, from);
        int part = i.field(Field.PART, 0);
        boolean whole = i.is(Field.WHOLE);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            long value = floatSource(i, from, wide(r, b, l), part);
            putFloat(r, d, l, to, convert(i, from, to, value, whole));
        }
        finish(warp, i, mask, d, to);
    }

    /// @param value in single precision if `from` is not double
    /// @return in the format of `to`
    private static long convert(
            Instruction i, NumberType from, NumberType to, long value, boolean whole) {
        if (from == NumberType.F64) {
            return to == NumberType.F64
                    ? sameDouble(i, value, whole)
                    : finishFloat(i, to, Conversions.toFloat(number(value), i.rounding));
        }
        int bits = (int) value;
        if (to == NumberType.F64) {
            long wide = Conversions.toDouble(bits);
            return i.saturates ? saturate(wide) : wide;
        }
        if (whole) {
            bits = Floats.round(Conversions.whole(Float.intBitsToFloat(bits), i.rounding), 0);
        }
        return finishFloat(i, to, Floats.bits(Float.intBitsToFloat(bits)));
    }

    private static long sameDouble(Instruction i, long value, boolean whole) {
        double number = number(value);
        if (number != number) {
            return i.saturates ? 0 : Doubles.add(value, value, 0);
        }
        double result = whole ? Conversions.whole(number, i.rounding) : number;
        long bits = Double.doubleToRawLongBits(result);
        return i.saturates ? saturate(bits) : bits;
    }

    private static long finishFloat(Instruction i, NumberType to, int bits) {
        int result = i.flushes ? Floats.flush(bits) : bits;
        result = i.saturates ? Floats.saturate(result) : result;
        return to == NumberType.F16 ? Conversions.toHalf(result, i.rounding) : result;
    }

    private static long saturate(long bits) {
        double value = number(bits);
        return value > 0 ? Double.doubleToRawLongBits(Math.min(value, 1)) : 0;
    }

    void floatToInteger(Warp warp, Instruction i, int mask) {
        NumberType from = TYPES[i.mode2];
        NumberType to = TYPES[i.mode];
        int b = source(warp, i, from);
        int part = i.field(Field.PART, 0);
        int bits = to.bytes() * Byte.SIZE;
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            long source = floatSource(i, from, wide(r, b, l), part);
            double value =
                    from == NumberType.F64 ? number(source) : Float.intBitsToFloat((int) source);
            putInteger(r, d, l, to, Conversions.toInteger(value, i.rounding, bits, to.signed()));
        }
        finish(warp, i, mask, d, to);
    }

    void integerToFloat(Warp warp, Instruction i, int mask) {
        NumberType from = TYPES[i.mode2];
        NumberType to = TYPES[i.mode];
        int b = source(warp, i, from);
        int part = i.field(Field.PART, 0);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            long value = integerSource(from, wide(r, b, l), part);
            boolean negative = from.signed() && value < 0;
            long magnitude = negative ? -value : value;
            negative = (negative && i.keepB == -1) ^ i.signB != 0;
            putFloat(r, d, l, to, fromInteger(to, negative, magnitude, i.rounding));
        }
        finish(warp, i, mask, d, to);
    }

    private static long fromInteger(NumberType to, boolean negative, long magnitude, int rounding) {
        if (to == NumberType.F64) {
            return Conversions.toDouble(negative, magnitude, rounding);
        }
        // Negation of zero is zero here: it happens to the integer.
        int bits = Conversions.toFloat(negative && magnitude != 0, magnitude, rounding);
        return to == NumberType.F16 ? Conversions.toHalf(bits, rounding) : bits;
    }

    void integerToInteger(Warp warp, Instruction i, int mask) {
        NumberType from = TYPES[i.mode2];
        NumberType to = TYPES[i.mode];
        int b = source(warp, i, from);
        int part = i.field(Field.PART, 0);
        int bits = to.bytes() * Byte.SIZE;
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            long value = integerSource(from, wide(r, b, l), part);
            value = i.keepB == -1 || value >= 0 ? value : -value;
            value = i.signB == 0 ? value : -value;
            boolean clamps = i.saturates && bits < Long.SIZE;
            putInteger(
                    r,
                    d,
                    l,
                    to,
                    clamps
                            ? Conversions.clamp(value, bits, to.signed())
                            : Conversions.truncate(value, bits, to.signed()));
        }
        finish(warp, i, mask, d, to);
    }

    private int source(Warp warp, Instruction i, NumberType from) {
        if (from.bytes() < Long.BYTES) {
            return operands.second(warp, i);
        }
        return from.isFloat() ? operands.secondWide(warp, i) : operands.secondLong(warp, i);
    }

    private static long wide(int[] r, int row, int lane) {
        return (long) r[Rows.upper(row) + lane] << Integer.SIZE | r[row + lane] & LOW;
    }

    /// A float operand: single precision, unless it is a double.
    private static long floatSource(Instruction i, NumberType from, long value, int part) {
        if (from == NumberType.F64) {
            long keep = i.keepB == -1 ? -1 : Long.MAX_VALUE;
            return value & keep ^ (long) i.signB << Integer.SIZE;
        }
        int bits = (int) value;
        if (from == NumberType.F16) {
            bits = Conversions.fromHalf(bits >>> part * Short.SIZE);
        }
        bits = bits & i.keepB ^ i.signB;
        return i.flushes ? Floats.flush(bits) : bits;
    }

    private static long integerSource(NumberType from, long value, int part) {
        int bits = from.bytes() * Byte.SIZE;
        int shift = bits < Integer.SIZE ? part * bits : 0;
        return Conversions.truncate(value >>> shift, bits, from.signed());
    }

    private static double number(long bits) {
        return Double.longBitsToDouble(bits);
    }

    private static void putFloat(int[] r, int row, int lane, NumberType to, long bits) {
        r[row + lane] = (int) bits;
        if (to == NumberType.F64) {
            r[row + Rows.STRIDE + lane] = (int) (bits >>> Integer.SIZE);
        }
    }

    private static void putInteger(int[] r, int row, int lane, NumberType to, long value) {
        r[row + lane] = (int) value;
        if (to.bytes() == Long.BYTES) {
            r[row + Rows.STRIDE + lane] = (int) (value >>> Integer.SIZE);
        }
    }

    private static void finish(Warp warp, Instruction i, int mask, int d, NumberType to) {
        int rows = to.bytes() == Long.BYTES ? 2 : 1;
        if (i.setsConditions) {
            int zeros = warp.zerosOf(d) & (rows == 1 ? -1 : warp.zerosOf(d + Rows.STRIDE));
            warp.conditions(mask, zeros, warp.signsOf(d + (rows - 1) * Rows.STRIDE), 0, 0);
        }
        warp.commit(i, mask, d, rows);
    }
}
