package io.gpuvm.softgpu.sm.instruction;

import static io.gpuvm.softgpu.sm.instruction.Words.big;
import static io.gpuvm.softgpu.sm.instruction.Words.high;
import static io.gpuvm.softgpu.sm.instruction.Words.low;
import static io.gpuvm.softgpu.sm.instruction.Words.ubig;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of bitwise operations, shifts, bit fields, bit counts and byte permutations.
class LogicTest {
    private static final Bench BENCH = new Bench();
    private static final int[] EDGES = {
        0,
        1,
        -1,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE,
        0x1234_5678,
        0xf0f0_f0f0,
        0x0000_8000,
        0xffff_0000,
        6
    };
    private static final int[] COUNTS = {
        0, 1, 4, 31, 32, 33, 63, 64, 255, 256, -1, Integer.MIN_VALUE
    };

    @AfterAll
    static void close() {
        BENCH.close();
    }

    static List<InstructionCase> cases() {
        List<InstructionCase> cases = new ArrayList<>();
        logic(cases);
        shifts(cases);
        longShifts(cases);
        fields(cases);
        counts(cases);
        permutations(cases);
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenInstructionCase_whenRunInAllEncodings_thenRegistersAndDataEqualCase(
            InstructionCase instructions) {
        BENCH.check(instructions);
    }

    private static void logic(List<InstructionCase> cases) {
        cases.add(pairs("LOP.AND R16, R0, {1}", (a, b) -> a & b));
        cases.add(pairs("LOP.OR R16, R0, {1}", (a, b) -> a | b));
        cases.add(pairs("LOP.XOR R16, R0, {1}", (a, b) -> a ^ b));
        cases.add(pairs("LOP.PASS_B R16, R0, {1}", (_, b) -> b));
        cases.add(pairs("LOP.AND R16, ~R0, {1}", (a, b) -> ~a & b));
        cases.add(pairs("LOP.OR R16, R0, ~{1}", (a, b) -> a | ~b));
        cases.add(pairs("LOP.PASS_B R16, R0, ~{1}", (_, b) -> ~b));
        cases.add(
                InstructionCase.of("LOP32I.AND R16, R0, 0x12345678")
                        .with(-1)
                        .gives(0x1234_5678)
                        .with(0xff)
                        .gives(0x78));
        cases.add(InstructionCase.of("LOP32I.OR R16, R0, 0x80000001").with(2).gives(0x8000_0003));
        cases.add(InstructionCase.of("LOP32I.XOR R16, ~R0, 0xffffffff").with(0x1234).gives(0x1234));
        cases.add(
                InstructionCase.of("LOP32I.PASS_B R16, R0, 0x12345678").with(1).gives(0x1234_5678));
        cases.add(
                InstructionCase.of(
                                "* LOP.AND RZ.CC, R0, {1}",
                                "CSET.AND R16, CC.EQ, PT", "CSET.AND R17, CC.LT, PT")
                        .with(1, 2)
                        .gives(-1, 0)
                        .with(-1, Integer.MIN_VALUE)
                        .gives(0, -1)
                        .with(3, 2)
                        .gives(0, 0));
    }

    private static void shifts(List<InstructionCase> cases) {
        InstructionCase left = InstructionCase.of("SHL R16, R0, {1}");
        InstructionCase leftWrapped = InstructionCase.of("SHL.W R16, R0, {1}");
        InstructionCase right = InstructionCase.of("SHR R16, R0, {1}");
        InstructionCase rightWrapped = InstructionCase.of("SHR.W R16, R0, {1}");
        InstructionCase unsigned = InstructionCase.of("SHR.U32 R16, R0, {1}");
        InstructionCase unsignedWrapped = InstructionCase.of("SHR.U32.W R16, R0, {1}");
        InstructionCase reversed = InstructionCase.of("SHR.U32.BREV R16, R0, {1}");
        for (int value : EDGES) {
            for (int count : COUNTS) {
                int clamped = Integer.compareUnsigned(count, 32) < 0 ? count : 32;
                int wrapped = count & 31;
                left.with(value, count).gives(big(value).shiftLeft(clamped).intValue());
                leftWrapped.with(value, count).gives(big(value).shiftLeft(wrapped).intValue());
                right.with(value, count).gives(big(value).shiftRight(clamped).intValue());
                rightWrapped.with(value, count).gives(big(value).shiftRight(wrapped).intValue());
                unsigned.with(value, count).gives(ubig(value).shiftRight(clamped).intValue());
                unsignedWrapped
                        .with(value, count)
                        .gives(ubig(value).shiftRight(wrapped).intValue());
                reversed.with(value, count)
                        .gives(ubig(reverse(value)).shiftRight(clamped).intValue());
            }
        }
        cases.addAll(
                List.of(
                        left,
                        leftWrapped,
                        right,
                        rightWrapped,
                        unsigned,
                        unsignedWrapped,
                        reversed));
    }

    /// Adds shifts of 64-bit numbers by a constant, which compilers build from 32-bit shifts.
    private static void longShifts(List<InstructionCase> cases) {
        InstructionCase left =
                InstructionCase.of(
                        "SHL R16, R0, 0x7", "SHR.U32 R18, R0, 0x19", "ISCADD R17, R1, R18, 0x7");
        Random random = new Random(3);
        for (int i = 0; i < 50; i++) {
            long value = random.nextLong();
            left.with(low(value), high(value)).gives(low(value << 7), high(value << 7));
        }
        cases.add(left);
    }

    /// Adds bit fields: the second source of BFE and BFI has the position in its lowest byte, and
    /// the width in the next byte.
    private static void fields(List<InstructionCase> cases) {
        InstructionCase signed = InstructionCase.of("BFE R16, R0, {1}");
        InstructionCase unsigned = InstructionCase.of("BFE.U32 R16, R0, {1}");
        InstructionCase reversed = InstructionCase.of("BFE.U32.BREV R16, R0, {1}");
        InstructionCase insert = InstructionCase.of("BFI R16, R0, {1}, {2}");
        int[][] fields = {
            {0, 0},
            {0, 1},
            {0, 8},
            {4, 8},
            {31, 1},
            {0, 32},
            {24, 8},
            {28, 8},
            {31, 31},
            {16, 0},
            {33, 4},
            {0, 40},
            {255, 255}
        };
        for (int value : EDGES) {
            for (int[] field : fields) {
                int control = field[1] << 8 | field[0];
                signed.with(value, control).gives(extract(value, field[0], field[1], true));
                unsigned.with(value, control).gives(extract(value, field[0], field[1], false));
                reversed.with(value, control)
                        .gives(extract(reverse(value), field[0], field[1], false));
                for (int into : new int[] {0, -1, 0x1234_5678}) {
                    insert.with(value, control, into)
                            .gives(insert(value, field[0], field[1], into));
                }
            }
        }
        cases.addAll(List.of(signed, unsigned, reversed, insert));
    }

    private static void counts(List<InstructionCase> cases) {
        InstructionCase ones = InstructionCase.of("POPC R16, R0, {1}");
        InstructionCase zeros = InstructionCase.of("POPC R16, ~R0, ~{1}");
        InstructionCase leading = InstructionCase.of("FLO.U32 R16, {0}");
        InstructionCase distance = InstructionCase.of("FLO.U32.SH R16, {0}");
        InstructionCase signed = InstructionCase.of("FLO R16, {0}");
        InstructionCase inverted = InstructionCase.of("FLO.U32 R16, ~{0}");
        for (int a : EDGES) {
            for (int b : EDGES) {
                ones.with(a, b).gives(ubig(a).and(ubig(b)).bitCount());
                zeros.with(a, b).gives(ubig(~a).and(ubig(~b)).bitCount());
            }
            int highest = ubig(a).bitLength() - 1;
            leading.with(a).gives(highest);
            distance.with(a).gives(highest < 0 ? -1 : 31 - highest);
            signed.with(a).gives(big(a).bitLength() - 1);
            inverted.with(a).gives(ubig(~a).bitLength() - 1);
        }
        cases.addAll(List.of(ones, zeros, leading, distance, signed, inverted));
    }

    private static void permutations(List<InstructionCase> cases) {
        int a = 0x8322_1100;
        int c = 0x77e6_5544;
        cases.add(
                InstructionCase.of("PRMT R16, R0, {1}, {2}")
                        .with(a, 0x3210, c)
                        .gives(0x8322_1100)
                        .with(a, 0x7654, c)
                        .gives(0x77e6_5544)
                        .with(a, 0x0415, c)
                        .gives(0x0044_1155)
                        .with(a, 0xb3ea, c)
                        .gives(0xff83_ff00)
                        .with(a, 0xfd98, c)
                        .gives(0x0000_0000)
                        .with(a, 0x1_3210, c)
                        .gives(0x8322_1100));
        int[] upwards = {0x8322_1100, 0x4483_2211, 0x5544_8322, 0xe655_4483};
        InstructionCase forward = InstructionCase.of("PRMT.F4E R16, R0, {1}, {2}");
        for (int n = 0; n < 4; n++) {
            forward.with(a, n, c).gives(upwards[n]).with(a, n | 0xf0, c).gives(upwards[n]);
        }
        cases.add(forward);
        cases.add(
                InstructionCase.of("PRMT.B4E R16, R0, {1}, {2}")
                        .with(a, 0, c)
                        .gives(0x55e6_7700)
                        .with(a, 1, c)
                        .gives(0xe677_0011)
                        .with(a, 2, c)
                        .gives(0x7700_1122)
                        .with(a, 3, c)
                        .gives(0x0011_2283));
        cases.add(
                InstructionCase.of("PRMT.RC8 R16, R0, {1}, {2}")
                        .with(a, 0, c)
                        .gives(0)
                        .with(a, 1, c)
                        .gives(0x1111_1111)
                        .with(a, 3, c)
                        .gives(0x8383_8383));
        cases.add(
                InstructionCase.of("PRMT.ECL R16, R0, {1}, {2}")
                        .with(a, 0, c)
                        .gives(0x8322_1100)
                        .with(a, 1, c)
                        .gives(0x8322_1111)
                        .with(a, 2, c)
                        .gives(0x8322_2222)
                        .with(a, 3, c)
                        .gives(0x8383_8383));
        cases.add(
                InstructionCase.of("PRMT.ECR R16, R0, {1}, {2}")
                        .with(a, 0, c)
                        .gives(0)
                        .with(a, 1, c)
                        .gives(0x1111_1100)
                        .with(a, 2, c)
                        .gives(0x2222_1100)
                        .with(a, 3, c)
                        .gives(0x8322_1100));
        cases.add(
                InstructionCase.of("PRMT.RC16 R16, R0, {1}, {2}")
                        .with(a, 0, c)
                        .gives(0x1100_1100)
                        .with(a, 1, c)
                        .gives(0x8322_8322)
                        .with(a, 2, c)
                        .gives(0x1100_1100)
                        .with(a, 3, c)
                        .gives(0x8322_8322));
    }

    private static int extract(int value, int position, int width, boolean signed) {
        if (width == 0) {
            return 0;
        }
        BigInteger all = signed ? big(value) : ubig(value);
        BigInteger shifted = all.shiftRight(Math.min(position, 32));
        int length = Math.min(width, 64);
        BigInteger field = shifted.mod(BigInteger.ONE.shiftLeft(length));
        boolean negative = signed && field.testBit(length - 1);
        return (negative ? field.subtract(BigInteger.ONE.shiftLeft(length)) : field).intValue();
    }

    private static int insert(int value, int position, int width, int into) {
        BigInteger ones = BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
        BigInteger mask = ones.shiftLeft(position);
        return ubig(into).andNot(mask).or(ubig(value).and(ones).shiftLeft(position)).intValue();
    }

    private static int reverse(int value) {
        int reversed = 0;
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            reversed |= (value >> bit & 1) << Integer.SIZE - 1 - bit;
        }
        return reversed;
    }

    private static InstructionCase pairs(String text, IntBinaryOperator result) {
        InstructionCase c = InstructionCase.of(text);
        for (int a : EDGES) {
            for (int b : EDGES) {
                c.with(a, b).gives(result.applyAsInt(a, b));
            }
        }
        return c;
    }
}
