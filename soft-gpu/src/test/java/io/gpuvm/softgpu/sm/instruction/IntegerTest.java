package io.gpuvm.softgpu.sm.instruction;

import static io.gpuvm.softgpu.sm.instruction.Words.big;
import static io.gpuvm.softgpu.sm.instruction.Words.high;
import static io.gpuvm.softgpu.sm.instruction.Words.low;
import static io.gpuvm.softgpu.sm.instruction.Words.mask;
import static io.gpuvm.softgpu.sm.instruction.Words.ubig;
import static java.lang.Integer.MAX_VALUE;
import static java.lang.Integer.MIN_VALUE;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of integer sums, products, minima and comparisons.
class IntegerTest {
    private static final Bench BENCH = new Bench();
    private static final int[] EDGES = {
        0, 1, 2, -1, -2, 7, MAX_VALUE, MIN_VALUE, MIN_VALUE + 1, 0x8000, 0xffff_0000, 1000
    };
    private static final BigInteger TWO_32 = BigInteger.ONE.shiftLeft(32);

    @AfterAll
    static void close() {
        BENCH.close();
    }

    static List<InstructionCase> cases() {
        List<InstructionCase> cases = new ArrayList<>();
        sums(cases);
        carries(cases);
        products(cases);
        shiftedSums(cases);
        minima(cases);
        comparisons(cases);
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenInstructionCase_whenRunInAllEncodings_thenRegistersAndDataEqualCase(
            InstructionCase instructions) {
        BENCH.check(instructions);
    }

    private static void sums(List<InstructionCase> cases) {
        cases.add(pairs("IADD R16, R0, {1}", BigInteger::add));
        cases.add(pairs("IADD R16, -R0, {1}", (a, b) -> b.subtract(a)));
        cases.add(pairs("IADD R16, R0, -{1}", BigInteger::subtract));
        cases.add(pairs("IADD.PO R16, R0, {1}", (a, b) -> a.add(b).add(BigInteger.ONE)));
        cases.add(pairs("IADD.SAT R16, R0, {1}", (a, b) -> clamp(a.add(b))));
        cases.add(pairs("IADD.SAT R16, R0, -{1}", (a, b) -> clamp(a.subtract(b))));
        cases.add(
                InstructionCase.of("IADD32I R16, R0, 0x12345678")
                        .with(0x1000_0000)
                        .gives(0x2234_5678)
                        .with(-1)
                        .gives(0x1234_5677));
        cases.add(InstructionCase.of("IADD32I.PO R16, R0, 0x12345678").with(0).gives(0x1234_5679));
        cases.add(
                InstructionCase.of("IADD32I R16, -R0, 0x1")
                        .with(5)
                        .gives(-4)
                        .with(MIN_VALUE)
                        .gives(MIN_VALUE + 1));
        cases.add(
                InstructionCase.of("IADD32I.SAT R16, R0, 0x7fffffff")
                        .with(1)
                        .gives(MAX_VALUE)
                        .with(-1)
                        .gives(MAX_VALUE - 1));
        InstructionCase signed = InstructionCase.of("ISAD R16, R0, {1}, {2}");
        InstructionCase unsigned = InstructionCase.of("ISAD.U32 R16, R0, {1}, {2}");
        for (int a : EDGES) {
            for (int b : EDGES) {
                signed.with(a, b, 100).gives(big(a).subtract(big(b)).abs().intValue() + 100);
                unsigned.with(a, b, 100).gives(ubig(a).subtract(ubig(b)).abs().intValue() + 100);
            }
        }
        cases.add(signed);
        cases.add(unsigned);
    }

    /// Adds 64-bit additions and subtractions, and the condition code after sums.
    private static void carries(List<InstructionCase> cases) {
        InstructionCase add = InstructionCase.of("IADD R16.CC, R0, R2", "* IADD.X R17, R1, {3}");
        InstructionCase subtract =
                InstructionCase.of("IADD R16.CC, R0, -R2", "* IADD.X R17, R1, -{3}");
        InstructionCase immediate =
                InstructionCase.of("IADD R16.CC, R0, R2", "* IADD32I.X R17, R1, 0x12345678");
        Random random = new Random(2);
        for (int i = 0; i < 200; i++) {
            long a = random.nextLong() >> random.nextInt(64);
            long b = random.nextLong() >> random.nextInt(64);
            add.with(low(a), high(a), low(b), high(b)).gives(low(a + b), high(a + b));
            subtract.with(low(a), high(a), low(b), high(b)).gives(low(a - b), high(a - b));
            long c = 0x1234_5678L << 32 | low(b) & 0xffff_ffffL;
            immediate.with(low(a), high(a), low(b)).gives(low(a + c), high(a + c));
        }
        cases.add(add);
        cases.add(subtract);
        cases.add(immediate);
        InstructionCase flags =
                InstructionCase.of(
                        "* IADD RZ.CC, R0, {1}",
                        "CSET.AND R16, CC.EQ, PT",
                        "CSET.AND R17, CC.SFT, PT",
                        "CSET.AND R18, CC.HS, PT",
                        "CSET.AND R19, CC.OFT, PT");
        for (int a : EDGES) {
            for (int b : EDGES) {
                BigInteger sum = big(a).add(big(b));
                flags.with(a, b)
                        .gives(
                                mask(a + b == 0),
                                mask(a + b < 0),
                                mask(ubig(a).add(ubig(b)).compareTo(TWO_32) >= 0),
                                mask(!sum.equals(big(sum.intValue()))));
            }
        }
        cases.add(flags);
    }

    private static void products(List<InstructionCase> cases) {
        cases.add(pairs("IMUL R16, R0, {1}", BigInteger::multiply));
        cases.add(pairs("IMUL.HI R16, R0, {1}", (a, b) -> a.multiply(b).shiftRight(32)));
        cases.add(unsignedPairs("IMUL.U32.U32 R16, R0, {1}", BigInteger::multiply));
        cases.add(
                unsignedPairs(
                        "IMUL.U32.U32.HI R16, R0, {1}", (a, b) -> a.multiply(b).shiftRight(32)));
        InstructionCase mixed = InstructionCase.of("IMUL.U32.S32.HI R16, R0, {1}");
        InstructionCase other = InstructionCase.of("IMUL.S32.U32.HI R16, R0, {1}");
        InstructionCase mad = InstructionCase.of("IMAD R16, R0, {1}, {2}");
        InstructionCase minus = InstructionCase.of("IMAD R16, R0, {1}, -{2}");
        InstructionCase negated = InstructionCase.of("IMAD R16, -R0, {1}, {2}");
        InstructionCase plusOne = InstructionCase.of("IMAD.PO R16, R0, {1}, {2}");
        InstructionCase upper = InstructionCase.of("IMAD.HI R16, R0, {1}, {2}");
        InstructionCase unsignedUpper = InstructionCase.of("IMAD.U32.U32.HI R16, R0, {1}, {2}");
        InstructionCase wide =
                InstructionCase.of(
                        "IMAD.U32.U32 R16.CC, R0, R1, R2", "* IMAD.U32.U32.HI.X R17, R0, {1}, {3}");
        for (int a : EDGES) {
            for (int b : EDGES) {
                mixed.with(a, b).gives(ubig(a).multiply(big(b)).shiftRight(32).intValue());
                other.with(a, b).gives(big(a).multiply(ubig(b)).shiftRight(32).intValue());
                for (int c : new int[] {0, 5, -9, MIN_VALUE}) {
                    BigInteger product = big(a).multiply(big(b));
                    mad.with(a, b, c).gives(product.add(big(c)).intValue());
                    minus.with(a, b, c).gives(product.subtract(big(c)).intValue());
                    negated.with(a, b, c).gives(big(c).subtract(product).intValue());
                    plusOne.with(a, b, c).gives(product.add(big(c)).intValue() + 1);
                    upper.with(a, b, c).gives(product.shiftRight(32).add(big(c)).intValue());
                    BigInteger unsigned = ubig(a).multiply(ubig(b));
                    unsignedUpper
                            .with(a, b, c)
                            .gives(unsigned.shiftRight(32).add(big(c)).intValue());
                    BigInteger sum = unsigned.add(ubig(c)).add(big(77).shiftLeft(32));
                    wide.with(a, b, c, 77).gives(sum.intValue(), sum.shiftRight(32).intValue());
                }
            }
        }
        cases.addAll(
                List.of(mixed, other, mad, minus, negated, plusOne, upper, unsignedUpper, wide));
        cases.add(
                InstructionCase.of("IMAD R17, R0, {1}, {2}", "MOV R16, R17")
                        .with(3, 4, 5)
                        .gives(17));
        cases.add(
                InstructionCase.of("IMUL32I R16, R0, 0x12345678")
                        .with(3)
                        .gives(0x369d_0368)
                        .with(-1)
                        .gives(-0x1234_5678));
        cases.add(
                InstructionCase.of("IMUL32I.U32.U32.HI R16, R0, 0x80000000")
                        .with(-1)
                        .gives(MAX_VALUE)
                        .with(2)
                        .gives(1));
        cases.add(
                InstructionCase.of("MOV R16, R1", "* IMAD32I R16, R0, 0x100, R16")
                        .with(3, 5)
                        .gives(0x305));
        cases.add(
                InstructionCase.of("MOV R16, R1", "* IMAD32I R16, R0, 0x100, -R16")
                        .with(3, 5)
                        .gives(0x2fb));
        cases.add(
                InstructionCase.of("MOV R16, R1", "* IMAD32I.PO R16, R0, 0x100, R16")
                        .with(3, 5)
                        .gives(0x306));
    }

    private static void shiftedSums(List<InstructionCase> cases) {
        cases.add(pairs("ISCADD R16, R0, {1}, 0x2", (a, b) -> a.shiftLeft(2).add(b)));
        cases.add(pairs("ISCADD R16, R0, {1}, 0x1f", (a, b) -> a.shiftLeft(31).add(b)));
        cases.add(pairs("ISCADD R16, R0, -{1}, 0x5", (a, b) -> a.shiftLeft(5).subtract(b)));
        cases.add(pairs("ISCADD R16, -R0, {1}, 0x5", (a, b) -> b.subtract(a.shiftLeft(5))));
        cases.add(pairs("ISCADD.PO R16, R0, {1}, 0x0", (a, b) -> a.add(b).add(BigInteger.ONE)));
        cases.add(
                InstructionCase.of("ISCADD32I R16, R0, 0x12345678, 0x4")
                        .with(1)
                        .gives(0x1234_5688));
    }

    private static void minima(List<InstructionCase> cases) {
        cases.add(pairs("IMNMX R16, R0, {1}, PT", BigInteger::min));
        cases.add(pairs("IMNMX R16, R0, {1}, !PT", BigInteger::max));
        cases.add(unsignedPairs("IMNMX.U32 R16, R0, {1}, PT", BigInteger::min));
        cases.add(unsignedPairs("IMNMX.U32 R16, R0, {1}, !PT", BigInteger::max));
        cases.add(
                InstructionCase.of("ISETP.NE.AND P1, PT, R2, RZ, PT", "* IMNMX R16, R0, {1}, P1")
                        .with(3, 9, 0)
                        .gives(9)
                        .with(3, 9, 1)
                        .gives(3));
    }

    private static void comparisons(List<InstructionCase> cases) {
        String[] names = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
        for (String name : names) {
            InstructionCase set = InstructionCase.of("ISET." + name + ".AND R16, R0, {1}, PT");
            InstructionCase unsigned =
                    InstructionCase.of("ISET." + name + ".U32.AND R16, R0, {1}, PT");
            InstructionCase predicate =
                    InstructionCase.of(
                            "* ISETP." + name + ".AND P0, P1, R0, {1}, PT",
                            "SEL R16, R3, RZ, P0",
                            "SEL R17, R3, RZ, P1");
            InstructionCase choose = InstructionCase.of("ICMP." + name + " R16, R0, {1}, {2}");
            InstructionCase chooseUnsigned =
                    InstructionCase.of("ICMP." + name + ".U32 R16, R0, {1}, {2}");
            for (int a : EDGES) {
                for (int b : EDGES) {
                    boolean is = Relations.holds(name, Integer.compare(a, b));
                    set.with(a, b).gives(mask(is));
                    unsigned.with(a, b)
                            .gives(mask(Relations.holds(name, Integer.compareUnsigned(a, b))));
                    predicate.with(a, b, 0, -1).gives(mask(is), mask(!is));
                }
                choose.with(11, 22, a)
                        .gives(Relations.holds(name, Integer.compare(a, 0)) ? 11 : 22);
                chooseUnsigned
                        .with(11, 22, a)
                        .gives(Relations.holds(name, Integer.compareUnsigned(a, 0)) ? 11 : 22);
            }
            cases.addAll(List.of(set, unsigned, predicate, choose, chooseUnsigned));
        }
        cases.add(
                InstructionCase.of("ISET.BF.LT.AND R16, R0, {1}, PT")
                        .with(1, 2)
                        .gives(0x3f80_0000)
                        .with(2, 1)
                        .gives(0));
        combined(cases);
        longComparison(cases);
    }

    /// Adds combinations of a comparison, and of its complement in the second result, with a
    /// predicate.
    private static void combined(List<InstructionCase> cases) {
        String[] operations = {"AND", "OR", "XOR"};
        for (String operation : operations) {
            InstructionCase c =
                    InstructionCase.of(
                            "ISETP.NE.AND P2, PT, R2, RZ, PT",
                            "* ISETP.LT." + operation + " P0, P1, R0, {1}, P2",
                            "SEL R16, R3, RZ, P0",
                            "SEL R17, R3, RZ, P1",
                            "ISET.LT." + operation + " R18, R0, R1, !P2");
            for (int less = 0; less < 2; less++) {
                for (int with = 0; with < 2; with++) {
                    c.with(0, less, with, -1)
                            .gives(
                                    mask(logic(operation, less != 0, with != 0)),
                                    mask(logic(operation, less == 0, with != 0)),
                                    mask(logic(operation, less != 0, with == 0)));
                }
            }
            cases.add(c);
        }
    }

    /// Adds 64-bit comparisons: a subtraction of the lower words, then a comparison with `.X`.
    private static void longComparison(List<InstructionCase> cases) {
        for (String name : new String[] {"LT", "EQ", "LE", "GT", "NE", "GE"}) {
            InstructionCase signed =
                    InstructionCase.of(
                            "IADD RZ.CC, R0, -R2",
                            "* ISETP." + name + ".X.AND P0, PT, R1, {3}, PT",
                            "SEL R16, R4, RZ, P0");
            InstructionCase unsigned =
                    InstructionCase.of(
                            "IADD RZ.CC, R0, -R2",
                            "* ISETP." + name + ".U32.X.AND P0, PT, R1, {3}, PT",
                            "SEL R16, R4, RZ, P0");
            long[] values = {
                0,
                1,
                -1,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                1L << 32,
                (1L << 32) - 1,
                -(1L << 32),
                0x8000_0000L
            };
            for (long a : values) {
                for (long b : values) {
                    signed.with(low(a), high(a), low(b), high(b), -1)
                            .gives(mask(Relations.holds(name, Long.compare(a, b))));
                    unsigned.with(low(a), high(a), low(b), high(b), -1)
                            .gives(mask(Relations.holds(name, Long.compareUnsigned(a, b))));
                }
            }
            cases.add(signed);
            cases.add(unsigned);
        }
    }

    private static boolean logic(String operation, boolean a, boolean b) {
        return switch (operation) {
            case "AND" -> a && b;
            case "OR" -> a || b;
            default -> a != b;
        };
    }

    private static InstructionCase pairs(String text, BinaryOperator<BigInteger> result) {
        InstructionCase c = InstructionCase.of(text);
        for (int a : EDGES) {
            for (int b : EDGES) {
                c.with(a, b).gives(result.apply(big(a), big(b)).intValue());
            }
        }
        return c;
    }

    private static InstructionCase unsignedPairs(String text, BinaryOperator<BigInteger> result) {
        InstructionCase c = InstructionCase.of(text);
        for (int a : EDGES) {
            for (int b : EDGES) {
                c.with(a, b).gives(result.apply(ubig(a), ubig(b)).intValue());
            }
        }
        return c;
    }

    private static BigInteger clamp(BigInteger number) {
        return number.max(big(MIN_VALUE)).min(big(MAX_VALUE));
    }
}
