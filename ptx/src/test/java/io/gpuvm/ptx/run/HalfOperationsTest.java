package io.gpuvm.ptx.run;

import java.math.BigDecimal;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests arithmetic on floats of 16 bits and on pairs of them. References are exact results, which
/// Java rounds once.
class HalfOperationsTest {
    private static final int NAN = 0x7FFF;
    private static final int INFINITY = 0x7C00;
    private static final int TRIPLES = 20_000;

    /// Zeros, denormals, numbers next to powers of two, large numbers, infinities and NaN.
    private static final long[] SPECIAL =
            IntStream.of(
                            0, 1, 2, 0x3FF, 0x400, 0x401, 0x1400, 0x3555, 0x3800, 0x3BFF, 0x3C00,
                            0x3C01, 0x4000, 0x4248, 0x6400, 0x67FF, 0x6800, 0x77FF, 0x7800, 0x7BFF,
                            INFINITY, 0x7C01, NAN)
                    .flatMap(bits -> IntStream.of(bits, bits | 0x8000))
                    .asLongStream()
                    .toArray();

    private static double number(long bits) {
        return Float.float16ToFloat((short) bits);
    }

    /// Returns the bits of a number that single precision represents, or rounds harmlessly.
    private static long half(double x) {
        return Double.isNaN(x) ? NAN : Float.floatToFloat16((float) x) & 0xFFFF;
    }

    private static void check(String operation, DoubleBinaryOperator f) {
        Operations.binary(
                operation + ".f16 %d, %a, %b;",
                "b16",
                "b16",
                SPECIAL,
                (a, b) -> half(f.applyAsDouble(number(a), number(b))));
        long[] pairs = new Random(1).longs(64, 0, 1L << Integer.SIZE).toArray();
        Operations.binary(
                operation + ".f16x2 %d, %a, %b;",
                "b32",
                "b32",
                pairs,
                (a, b) ->
                        half(f.applyAsDouble(number(a), number(b)))
                                | half(f.applyAsDouble(number(a >> 16), number(b >> 16))) << 16);
    }

    @Test
    void givenHalves_whenAddedAndMultiplied_thenResultsAreRoundedOnce() {
        check("add", Double::sum);
        check("sub.rn", (a, b) -> a - b);
        check("mul", (a, b) -> a * b);
    }

    @Test
    void givenHalves_whenMinimaAreTaken_thenNumbersHavePrecedenceOverNaN() {
        check("min", (a, b) -> Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b));
        check("max.NaN", Math::max);
    }

    @Test
    void givenHalves_whenCompared_thenNaNIsUnordered() {
        Operations.binary(
                "setp.ltu.f16 %p, %a, %b; selp.b16 %d, 1, 0, %p;",
                "b16", "b16", SPECIAL, (a, b) -> number(a) >= number(b) ? 0 : 1);
    }

    @Test
    void givenPairs_whenCompared_thenEachPartHasItsPredicate() {
        long[] pairs = new Random(2).longs(64, 0, 1L << Integer.SIZE).toArray();
        Operations.binary(
                "setp.gt.f16x2 %p|%q, %a, %b; selp.b32 %d, 1, 0, %p; @%q add.u32 %d, %d, 2;",
                "b32",
                "b32",
                pairs,
                (a, b) ->
                        (number(a) > number(b) ? 1 : 0)
                                + (number(a >> 16) > number(b >> 16) ? 2 : 0));
    }

    @Test
    void givenFloats_whenConvertedToPair_thenFirstIsAbove() {
        long[] floats =
                IntStream.of(0, 0x3F800000, 0x477FF000, 0x33000001, 0xBEAAAAAB, 0x7FC00000)
                        .mapToLong(Integer::toUnsignedLong)
                        .toArray();
        Operations.binary(
                "cvt.rn.f16x2.f32 %d, %a, %b;",
                "b32",
                "b32",
                floats,
                (a, b) ->
                        half(Float.intBitsToFloat((int) a)) << 16
                                | half(Float.intBitsToFloat((int) b)));
    }

    @Test
    void givenHalves_whenSaturated_thenResultsAreFromZeroToOne() {
        Operations.binary(
                "add.sat.f16 %d, %a, %b;",
                "b16",
                "b16",
                SPECIAL,
                (a, b) -> {
                    double sum = number(a) + number(b);
                    return sum > 0 ? half(Math.min(sum, 1)) : 0;
                });
    }

    @Test
    void givenRandomHalves_whenFused_thenResultIsNearestToExactOne() {
        Random random = new Random(1);
        long[] a = finite(random);
        long[] b = finite(random);
        long[] c = finite(random);
        Operations.ternary(
                "fma.rn.f16 %d, %a, %b, %c;",
                "b16", "b16", "b16", "b16", a, b, c, HalfOperationsTest::fused);
    }

    private static long[] finite(Random random) {
        return random.ints(TRIPLES, 0, 0x10000)
                .map(bits -> (bits & INFINITY) == INFINITY ? bits & ~0x4000 : bits)
                .asLongStream()
                .toArray();
    }

    private static long fused(long a, long b, long c) {
        BigDecimal exact =
                new BigDecimal(number(a))
                        .multiply(new BigDecimal(number(b)))
                        .add(new BigDecimal(number(c)));
        if (exact.signum() == 0) {
            return half(number(a) * number(b) + number(c));
        }
        long near = half(exact.abs().doubleValue());
        long sign = exact.signum() < 0 ? 0x8000 : 0;
        long best = near;
        for (long other : new long[] {near - 1, near + 1}) {
            if (other >= 0 && other <= INFINITY) {
                int order = distance(exact, other).compareTo(distance(exact, best));
                best = order < 0 || order == 0 && (other & 1) == 0 ? other : best;
            }
        }
        return best | sign;
    }

    /// Returns the distance to a number without its sign; infinity is next to the greatest number.
    private static BigDecimal distance(BigDecimal exact, long bits) {
        double number = bits == INFINITY ? 0x1p16 : number(bits);
        BigDecimal distance = exact.abs().subtract(new BigDecimal(number));
        boolean isBeyond = bits == INFINITY && distance.signum() > 0;
        return isBeyond ? BigDecimal.ZERO : distance.abs();
    }
}
