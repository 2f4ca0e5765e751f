package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.NumberType;
import io.gpuvm.softgpu.sm.alu.Conversions;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;

/// Unit for the conversions between number formats, and to integral values: F2F, F2I, I2F, I2I.
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
        int fromBits = bits(from);
        for (int l = 0; l < LANES; l++) {
            long value = floatSource(i, fromBits, wide(r, b, l), part);
            long result =
                    Conversions.floatToFloat(
                            value, fromBits, bits(to), i.rounding, whole, i.flushes, i.saturates);
            putFloat(r, d, l, to, result);
        }
        finish(warp, i, mask, d, to);
    }

    void floatToInteger(Warp warp, Instruction i, int mask) {
        NumberType from = TYPES[i.mode2];
        NumberType to = TYPES[i.mode];
        int b = source(warp, i, from);
        int part = i.field(Field.PART, 0);
        int fromBits = bits(from);
        int bits = bits(to);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            long value = floatSource(i, fromBits, wide(r, b, l), part);
            long result =
                    Conversions.floatToInteger(value, fromBits, bits, to.signed(), i.rounding);
            putInteger(r, d, l, to, result);
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
            long result =
                    Conversions.integerToFloat(
                            value, from.signed(), bits(to), i.keepB, i.signB, i.rounding);
            putFloat(r, d, l, to, result);
        }
        finish(warp, i, mask, d, to);
    }

    void integerToInteger(Warp warp, Instruction i, int mask) {
        NumberType from = TYPES[i.mode2];
        NumberType to = TYPES[i.mode];
        int b = source(warp, i, from);
        int part = i.field(Field.PART, 0);
        int bits = bits(to);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            long value = integerSource(from, wide(r, b, l), part);
            long result =
                    Conversions.integerToInteger(
                            value, bits, to.signed(), i.keepB, i.signB, i.saturates);
            putInteger(r, d, l, to, result);
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

    private static long floatSource(Instruction i, int bits, long value, int part) {
        return Conversions.floatOperand(value, bits, part, i.keepB, i.signB, i.flushes);
    }

    private static long integerSource(NumberType from, long value, int part) {
        return Conversions.integerOperand(value, bits(from), from.signed(), part);
    }

    private static int bits(NumberType type) {
        return type.bytes() * Byte.SIZE;
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
