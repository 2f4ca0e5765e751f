package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.VideoPart;
import io.gpuvm.gf100.isa.VideoResult;
import io.gpuvm.softgpu.sm.alu.Videos;
import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;

/// Unit for video arithmetic.
final class VideoUnit {
    /// Mask of a part in the second mode, which contains the parts of the sources, then the second
    /// operation.
    private static final int PART_MASK = 7;

    private static final int PART_BITS = Decoder.PART_BITS;

    private static final int WHOLE = wholeWords();

    private static final int SHIFT_1 = 7;
    private static final int SHIFT_2 = 15;

    private static final int LANES = Rows.LANES;

    private final Operands operands;

    VideoUnit(Operands operands) {
        this.operands = operands;
    }

    private static int wholeWords() {
        int whole = VideoPart.WORD.ordinal();
        return Decoder.videoParts(whole, whole, VideoResult.ACC.ordinal());
    }

    void add(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        boolean negates = (i.flipA | i.flipB) != 0;
        if (i.mode2 == WHOLE && !(negates || i.plusOne || i.saturates)) {
            for (int l = 0; l < LANES; l++) {
                r[d + l] = r[i.a + l] + r[b + l] + r[i.c + l];
            }
        } else {
            for (int l = 0; l < LANES; l++) {
                long x = first(i, r[i.a + l]);
                long y = second(i, r[b + l]);
                long sum = (i.flipA != 0 ? -x : x) + (i.flipB != 0 ? -y : y);
                r[d + l] = combine(i, i.plusOne ? sum + 1 : sum, r[i.c + l]);
            }
        }
        finish(warp, i, mask, d);
    }

    void minMax(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        boolean greater = i.is(Field.MAXIMUM);
        for (int l = 0; l < LANES; l++) {
            long x = first(i, r[i.a + l]);
            long y = second(i, r[b + l]);
            r[d + l] = combine(i, greater ? Math.max(x, y) : Math.min(x, y), r[i.c + l]);
        }
        finish(warp, i, mask, d);
    }

    void absoluteDifference(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            long difference = first(i, r[i.a + l]) - second(i, r[b + l]);
            r[d + l] = combine(i, Math.abs(difference), r[i.c + l]);
        }
        finish(warp, i, mask, d);
    }

    void shiftLeft(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        boolean wrap = i.is(Field.WRAP);
        for (int l = 0; l < LANES; l++) {
            long shifted = Videos.shiftLeft(first(i, r[i.a + l]), count(i, r[b + l]), wrap);
            r[d + l] = combine(i, shifted, r[i.c + l]);
        }
        finish(warp, i, mask, d);
    }

    void shiftRight(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        boolean wrap = i.is(Field.WRAP);
        for (int l = 0; l < LANES; l++) {
            long shifted = Videos.shiftRight(first(i, r[i.a + l]), count(i, r[b + l]), wrap);
            r[d + l] = combine(i, shifted, r[i.c + l]);
        }
        finish(warp, i, mask, d);
    }

    void compareToWord(Warp warp, Instruction i, int mask) {
        int truths = compare(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        for (int l = 0; l < LANES; l++) {
            r[d + l] = combine(i, truths >>> l & 1, r[i.c + l]);
        }
        finish(warp, i, mask, d);
    }

    /// Returns the lanes whose comparison is true. The comparison's code has one bit each for less,
    /// equal and greater.
    int compare(Warp warp, Instruction i) {
        int b = operands.second(warp, i);
        int[] r = warp.registers;
        int truths = 0;
        for (int l = 0; l < LANES; l++) {
            long x = first(i, r[i.a + l]);
            long y = second(i, r[b + l]);
            truths |= Videos.compare(x, y, i.comparison) << l;
        }
        return truths;
    }

    void multiplyAdd(Warp warp, Instruction i, int mask) {
        int b = operands.second(warp, i);
        int d = warp.target(i, mask);
        int[] r = warp.registers;
        boolean signed = i.mode != 0 || (i.flipProduct | i.flipC) != 0;
        int one = i.plusOne || (i.flipProduct | i.flipC) != 0 ? 1 : 0;
        int shift =
                switch (i.field(Field.VIDEO_SHIFT, 0)) {
                    case 1 -> SHIFT_1;
                    case 2 -> SHIFT_2;
                    default -> 0;
                };
        for (int l = 0; l < LANES; l++) {
            long x = first(i, r[i.a + l]);
            long y = second(i, r[b + l]);
            long third = signed ? r[i.c + l] : Integer.toUnsignedLong(r[i.c + l]);
            r[d + l] =
                    Videos.multiplyAdd(
                            x, y, i.flipProduct, third, i.flipC, one, shift, signed, i.saturates);
        }
        finish(warp, i, mask, d);
    }

    private static long first(Instruction i, int word) {
        return Videos.part(word, i.mode2 & PART_MASK, (i.mode & Decoder.SIGNED_A) != 0);
    }

    private static long second(Instruction i, int word) {
        boolean signed = (i.mode & Decoder.SIGNED_B) != 0;
        return Videos.part(word, i.mode2 >>> PART_BITS & PART_MASK, signed);
    }

    private static long count(Instruction i, int word) {
        return Videos.part(word, i.mode2 >>> PART_BITS & PART_MASK, false);
    }

    private static int combine(Instruction i, long value, int third) {
        int result = i.mode2 >>> 2 * PART_BITS;
        return Videos.result(value, third, i.isSigned, i.saturates, result);
    }

    private static void finish(Warp warp, Instruction i, int mask, int d) {
        if (i.setsConditions) {
            warp.conditionsOf(mask, d);
        }
        warp.commit(i, mask, d, 1);
    }
}
