package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.interpreter.DoubleOperations;
import io.gpuvm.softgpu.sm.Dimensions;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Quotients, reciprocals and square roots of doubles: the bits of every result, also where the
/// short path for usual exponents ends.
class DoubleQuotientsTest {
    private static final int FRACTION_BITS = 52;
    private static final long IMPLICIT = 1L << FRACTION_BITS;
    private static final long FRACTION = IMPLICIT - 1;
    private static final int BIAS = 1023;
    private static final long SEED = 53;

    /// Number of operands of one launch.
    private static final int PART = 1 << 17;

    private static final int RANDOM_PARTS = 8;
    private static final int HARD = 1 << 14;
    private static final int WARP = 32;

    /// Maximum number of instructions for usual operands.
    private static final int MOST_OF_SHORT_PATH = 22;

    private static final Map<String, PtxModifier> MODES =
            Map.of(
                    "rn", PtxModifier.RN,
                    "rz", PtxModifier.RZ,
                    "rm", PtxModifier.RM,
                    "rp", PtxModifier.RP);

    private final Random random = new Random(SEED);

    private static long quotient(long a, long b, PtxModifier mode) {
        return Double.doubleToRawLongBits(
                DoubleOperations.divide(
                        Double.longBitsToDouble(a), Double.longBitsToDouble(b), mode));
    }

    private static long root(long a, PtxModifier mode) {
        return Double.doubleToRawLongBits(
                DoubleOperations.squareRoot(Double.longBitsToDouble(a), mode));
    }

    private static void check(String body, long[] a, long[] b, Operations.Ternary expected) {
        Operations.ternary(body, "f64", "f64", "f64", "f64", a, b, a, expected);
    }

    private static void checkAll(String mode, long[] a, long[] b) {
        PtxModifier modifier = MODES.get(mode);
        long one = Double.doubleToRawLongBits(1);
        check("div." + mode + ".f64 %d, %a, %b;", a, b, (x, y, _) -> quotient(x, y, modifier));
        check("rcp." + mode + ".f64 %d, %b;", a, b, (_, y, _) -> quotient(one, y, modifier));
        check("sqrt." + mode + ".f64 %d, %a;", a, b, (x, _, _) -> root(x, modifier));
    }

    private static long number(long sign, int exponent, long fraction) {
        return sign << Long.SIZE - 1 | (long) exponent << FRACTION_BITS | fraction;
    }

    @ParameterizedTest
    @ValueSource(strings = {"rn", "rz", "rm", "rp"})
    void givenExponentsAtAllBorders_whenDivided_thenResultsAreRoundedOnce(String mode) {
        int[] exponents = {
            0, 1, 2, 7, 8, 9, 53, 54, 111, 112, 113, 1022, 1023, 1024, 2030, 2031, 2032, 2037, 2038,
            2039, 2040, 2044, 2045, 2046, 2047
        };
        long[] fractions = {0, 1, FRACTION, FRACTION - 1, 0xffff_ffffL, IMPLICIT / 2};
        List<Long> numbers = new ArrayList<>();
        for (int exponent : exponents) {
            for (long fraction : fractions) {
                numbers.add(number(exponent % 2, exponent, fraction));
            }
        }
        int count = numbers.size();
        long[] a = new long[count * count];
        long[] b = new long[count * count];
        for (int i = 0; i < a.length; i++) {
            a[i] = numbers.get(i / count);
            b[i] = numbers.get(i % count) ^ (i % 3 == 0 ? Long.MIN_VALUE : 0);
        }
        checkAll(mode, a, b);
        for (int i = 0; i < a.length; i++) {
            a[i] &= Long.MAX_VALUE;
        }
        check("sqrt." + mode + ".f64 %d, %a;", a, b, (x, _, _) -> root(x, MODES.get(mode)));
    }

    @Test
    void givenMillionRandomNumbers_whenDivided_thenResultsAreRoundedToNearest() {
        for (int part = 0; part < RANDOM_PARTS; part++) {
            // Exponents of half of the numbers are close to 1.
            long[] a = random.longs(PART).map(this::usual).toArray();
            long[] b = random.longs(PART).map(this::usual).toArray();
            checkAll("rn", a, b);
        }
    }

    private long usual(long bits) {
        return (bits & 1) == 0
                ? bits
                : bits & ~(0x7ffL << FRACTION_BITS)
                        | (long) (BIAS - 100 + random.nextInt(200)) << FRACTION_BITS;
    }

    /// Mantissas a and b with `a * 2^shift = m * b + rest` for a small rest: the quotient is close
    /// to m, which is in the middle of two doubles, or to a double.
    private void addClose(int shift, int rest, List<long[]> pairs) {
        long divisor = IMPLICIT | random.nextLong() & FRACTION | 1;
        BigInteger b = BigInteger.valueOf(divisor);
        BigInteger power = BigInteger.ONE.shiftLeft(shift);
        long a = BigInteger.valueOf(rest).multiply(power.modInverse(b)).mod(b).longValueExact();
        for (long dividend : new long[] {a, a + divisor}) {
            if (dividend >= IMPLICIT && dividend < 2 * IMPLICIT) {
                pairs.add(new long[] {dividend, divisor});
            }
        }
    }

    private long[] withExponents(List<long[]> pairs, int index) {
        return pairs.stream()
                .mapToLong(pair ->
                        number(
                                random.nextInt(2),
                                BIAS - 60 + random.nextInt(120),
                                pair[index] & FRACTION))
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rn", "rz", "rm", "rp"})
    void givenQuotientsCloseToMiddle_whenDivided_thenResultsAreRoundedCorrectly(String mode) {
        List<long[]> pairs = new ArrayList<>();
        while (pairs.size() < HARD) {
            for (int rest : new int[] {1, -1, 2, -2, 3, -3, 5, -7}) {
                addClose(FRACTION_BITS, rest, pairs);
                addClose(FRACTION_BITS + 1, rest, pairs);
                addClose(FRACTION_BITS + 2, rest, pairs);
            }
        }
        // Divisors close to 2, whose reciprocals are the hardest to round.
        for (int i = 0; i < 64; i++) {
            for (int j = 0; j < 64; j++) {
                pairs.add(new long[] {IMPLICIT + i, 2 * IMPLICIT - 1 - j});
                pairs.add(new long[] {2 * IMPLICIT - 1 - i, 2 * IMPLICIT - 1 - j});
                pairs.add(new long[] {IMPLICIT + i, IMPLICIT + j});
            }
        }
        long[] a = withExponents(pairs, 0);
        long[] b = withExponents(pairs, 1);
        checkAll(mode, a, b);
    }

    /// Adds mantissas whose root is close to an odd multiple of half a unit of its last place: `k^2
    /// - rest` with lower bits of zero.
    private static void addCloseRoots(int rest, int bits, List<Long> roots) {
        BigInteger modulus = BigInteger.ONE.shiftLeft(bits);
        BigInteger k = BigInteger.ONE;
        // Each step of Hensel's lifting finds a further bit of the root.
        for (int bit = 3; bit < bits; bit++) {
            BigInteger difference = k.multiply(k).subtract(BigInteger.valueOf(rest));
            if (difference.testBit(bit)) {
                k = k.setBit(bit - 1);
            }
        }
        for (BigInteger each : new BigInteger[] {k, k.negate()}) {
            for (int step = 0; step < 8; step++) {
                BigInteger root =
                        each.add(BigInteger.valueOf(step).shiftLeft(bits - 1)).mod(modulus);
                BigInteger square = root.multiply(root).subtract(BigInteger.valueOf(rest));
                BigInteger mantissa = square.shiftRight(bits);
                if (square.getLowestSetBit() >= bits
                        && mantissa.bitLength() == FRACTION_BITS + 1
                        && root.bitLength() == FRACTION_BITS + 2) {
                    roots.add(mantissa.longValueExact());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rn", "rz", "rm", "rp"})
    void givenRootsCloseToMiddle_whenComputed_thenResultsAreRoundedCorrectly(String mode) {
        List<Long> numbers = new ArrayList<>();
        for (int rest = -1007; rest < 1024; rest += 8) {
            List<Long> even = new ArrayList<>();
            List<Long> odd = new ArrayList<>();
            addCloseRoots(rest, FRACTION_BITS + 2, even);
            addCloseRoots(rest, FRACTION_BITS + 3, odd);
            even.forEach(each -> numbers.add(number(0, BIAS, each & FRACTION)));
            odd.forEach(each -> numbers.add(number(0, BIAS + 1, each & FRACTION)));
        }
        assertTrue(numbers.size() > 200, () -> "numbers=" + numbers.size());
        for (int i = 0; i < 256; i++) {
            numbers.add(number(0, BIAS, i));
            numbers.add(number(0, BIAS, FRACTION - i));
            numbers.add(number(0, BIAS + 1, i));
            numbers.add(number(0, BIAS + 1, FRACTION - i));
        }
        long[] a =
                numbers.stream()
                        .mapToLong(each ->
                                each + ((long) random.nextInt(-200, 200) * 2 << FRACTION_BITS))
                        .toArray();
        check("sqrt." + mode + ".f64 %d, %a;", a, a, (x, _, _) -> root(x, MODES.get(mode)));
    }

    @Test
    void givenUsualAndUnusualThreads_whenDividedInSequence_thenThreadsContinueTogether() {
        long[] a = random.longs(PART).toArray();
        long[] b = random.longs(PART).toArray();
        check(
                """
                div.rn.f64 %a, %a, %b;
                add.cc.u32 %t3, %t2, 0xffffffff;
                div.rn.f64 %c, %b, %a;
                addc.u32 %t4, 0, 0;
                sqrt.rn.f64 %d, %c;
                setp.eq.u32 %q, %t4, 0;
                @%q rcp.rn.f64 %d, %d;
                activemask.b32 %t5;
                setp.ne.u32 %p, %t5, 0xffffffff;
                @%p mov.f64 %d, 0d0000000000000000;
                """,
                a,
                b,
                new Operations.Ternary() {
                    private int thread;

                    @Override
                    public long apply(long x, long y, long unused) {
                        double first = Double.longBitsToDouble(x) / Double.longBitsToDouble(y);
                        double result = Math.sqrt(Double.longBitsToDouble(y) / first);
                        boolean isFirst = thread++ % Operations.THREADS == 0;
                        return Double.doubleToRawLongBits(isFirst ? 1 / result : result);
                    }
                });
    }

    /// Returns the number of instructions of a warp whose threads have the same operands.
    private static long executed(String operation, double a, double b) {
        String source = Operations.source(operation, "f64", "f64", "f64", "f64");
        PtxResult compiled = PtxCompiler.compile(source, PtxOptions.DEFAULT);
        try (KernelBench bench = new KernelBench(compiled.cubin())) {
            long[] addresses = new long[4];
            for (int i = 0; i < addresses.length; i++) {
                addresses[i] = bench.allocate(WARP * Double.BYTES);
                for (int thread = 0; thread < WARP; thread++) {
                    bench.segment(addresses[i])
                            .setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, thread, i == 0 ? a : b);
                }
            }
            bench.launch(
                    "test",
                    new Dimensions(1, 1, 1),
                    new Dimensions(WARP, 1, 1),
                    0,
                    addresses[0],
                    addresses[1],
                    addresses[2],
                    addresses[3],
                    WARP);
            return bench.instructions();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"div.rn.f64 %d, %a, %b;", "rcp.rn.f64 %d, %b;", "sqrt.rn.f64 %d, %a;"})
    void givenUsualOperands_whenComputed_thenPathIsShort(String operation) {
        long others = executed("mov.f64 %d, %a;", 1, 1);

        long usual = executed(operation, 3, -7) - others;
        long unusual = executed(operation, Double.MIN_VALUE, Double.MIN_VALUE) - others;

        assertTrue(usual <= MOST_OF_SHORT_PATH, () -> "instructions=" + usual);
        assertTrue(unusual > 2 * MOST_OF_SHORT_PATH, () -> "instructions=" + unusual);
    }
}
