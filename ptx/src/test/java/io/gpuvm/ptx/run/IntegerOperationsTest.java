package io.gpuvm.ptx.run;

import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests of the results of integer instructions.
class IntegerOperationsTest {
    private static final long[] WORDS = {
        0,
        1,
        2,
        3,
        5,
        7,
        31,
        32,
        33,
        100,
        255,
        256,
        0x7fff,
        0x8000,
        0xffff,
        0x10000,
        12345,
        99999,
        0x7ffffffe,
        0x7fffffff,
        0x80000000L,
        0x80000001L,
        0xfffffffeL,
        0xffffffffL,
        0xdeadbeefL
    };

    private static final long[] WIDE = {
        0,
        1,
        2,
        3,
        7,
        31,
        32,
        33,
        63,
        64,
        65,
        0xffffffffL,
        0x100000000L,
        0x123456789abcdefL,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        -1,
        -2,
        -100,
        0xfedcba9876543210L,
        0xffffffff00000000L,
        1000003
    };

    private static final long[] HALVES = Operations.mask("b16", WORDS);

    /// Function of two words.
    private interface WordFunction {
        int apply(int a, int b);
    }

    private static long unsigned(int word) {
        return Integer.toUnsignedLong(word);
    }

    private static void words(String operation, WordFunction f) {
        Operations.binary(
                operation + " %d, %a, %b;",
                "b32",
                "b32",
                WORDS,
                (x, y) -> unsigned(f.apply((int) x, (int) y)));
    }

    private static void wide(String operation, java.util.function.LongBinaryOperator f) {
        Operations.binary(operation + " %d, %a, %b;", "b64", "b64", WIDE, f);
    }

    private static String dividing(String operation, String type) {
        return "setp.ne.u%s %%p, %%b, 0; @!%%p mov.b%s %%d, 7; @%%p %s %%d, %%a, %%b;"
                .formatted(type, type, operation);
    }

    @Test
    void givenWords_whenAdded_thenResultsAreExact() {
        words("add.u32", (a, b) -> a + b);
        words("sub.s32", (a, b) -> a - b);
        words("mul.lo.u32", (a, b) -> a * b);
        words("mul.hi.u32", (a, b) -> (int) (unsigned(a) * unsigned(b) >>> 32));
        words("mul.hi.s32", (a, b) -> (int) ((long) a * b >> 32));
        words("add.sat.s32", (a, b) -> saturate((long) a + b));
        words("sub.sat.s32", (a, b) -> saturate((long) a - b));
        words("mul24.lo.s32", (a, b) -> (a << 8 >> 8) * (b << 8 >> 8));
        words("mul24.hi.u32", (a, b) -> (int) ((long) (a & 0xffffff) * (b & 0xffffff) >>> 16));
        words("mul24.hi.s32", (a, b) -> (int) ((long) (a << 8 >> 8) * (b << 8 >> 8) >> 16));
    }

    @Test
    void givenWords_whenCombinedBitwise_thenResultsAreExact() {
        words("and.b32", (a, b) -> a & b);
        words("or.b32", (a, b) -> a | b);
        words("xor.b32", (a, b) -> a ^ b);
        Operations.unary("not.b32 %d, %a;", "b32", "b32", WORDS, x -> unsigned(~(int) x));
        Operations.unary("cnot.b32 %d, %a;", "b32", "b32", WORDS, x -> x == 0 ? 1 : 0);
    }

    @Test
    void givenCountsBeyondWidth_whenShifted_thenAllBitsAreShiftedOut() {
        words("shl.b32", (a, b) -> unsigned(b) > 31 ? 0 : a << b);
        words("shr.u32", (a, b) -> unsigned(b) > 31 ? 0 : a >>> b);
        words("shr.s32", (a, b) -> unsigned(b) > 31 ? a >> 31 : a >> b);
        String count = "cvt.u32.u64 %t0, %b; ";
        Operations.binary(
                count + "shl.b64 %d, %a, %t0;",
                "b64",
                "b64",
                WIDE,
                (x, y) -> unsigned((int) y) > 63 ? 0 : x << y);
        Operations.binary(
                count + "shr.u64 %d, %a, %t0;",
                "b64",
                "b64",
                WIDE,
                (x, y) -> unsigned((int) y) > 63 ? 0 : x >>> y);
        Operations.binary(
                count + "shr.s64 %d, %a, %t0;",
                "b64",
                "b64",
                WIDE,
                (x, y) -> unsigned((int) y) > 63 ? x >> 63 : x >> y);
    }

    @Test
    void givenCountsInInstruction_whenShifted_thenResultsAreExact() {
        for (int k : new int[] {0, 1, 5, 31, 32, 33, 63, 64, 70}) {
            String rest = " %d, %a, " + k + ";";
            Operations.unary("shl.b64" + rest, "b64", "b64", WIDE, x -> k > 63 ? 0 : x << k);
            Operations.unary("shr.u64" + rest, "b64", "b64", WIDE, x -> k > 63 ? 0 : x >>> k);
            Operations.unary("shr.s64" + rest, "b64", "b64", WIDE, x -> k > 63 ? x >> 63 : x >> k);
            Operations.unary(
                    "shl.b32" + rest,
                    "b32",
                    "b32",
                    WORDS,
                    x -> k > 31 ? 0 : unsigned((int) x << k));
        }
    }

    @Test
    void givenWords_whenDivided_thenResultsAreExact() {
        Operations.binary(
                dividing("div.u32", "32"), "b32", "b32", WORDS, (x, y) -> y == 0 ? 7 : x / y);
        Operations.binary(
                dividing("rem.u32", "32"), "b32", "b32", WORDS, (x, y) -> y == 0 ? 7 : x % y);
        Operations.binary(
                dividing("div.s32", "32"),
                "b32",
                "b32",
                WORDS,
                (x, y) -> y == 0 ? 7 : unsigned((int) x / (int) y));
        Operations.binary(
                dividing("rem.s32", "32"),
                "b32",
                "b32",
                WORDS,
                (x, y) -> y == 0 ? 7 : unsigned((int) x % (int) y));
        Operations.binary(
                dividing("div.s16", "16"),
                "b16",
                "b16",
                HALVES,
                (x, y) -> y == 0 ? 7 : (short) x / (short) y & 0xffff);
    }

    @Test
    void givenNumbersOf64Bits_whenDivided_thenResultsAreExact() {
        Operations.binary(
                dividing("div.u64", "64"),
                "b64",
                "b64",
                WIDE,
                (x, y) -> y == 0 ? 7 : Long.divideUnsigned(x, y));
        Operations.binary(
                dividing("rem.u64", "64"),
                "b64",
                "b64",
                WIDE,
                (x, y) -> y == 0 ? 7 : Long.remainderUnsigned(x, y));
        Operations.binary(
                dividing("div.s64", "64"), "b64", "b64", WIDE, (x, y) -> y == 0 ? 7 : x / y);
        Operations.binary(
                dividing("rem.s64", "64"), "b64", "b64", WIDE, (x, y) -> y == 0 ? 7 : x % y);
    }

    @Test
    void givenNumbersOf64Bits_whenComputed_thenResultsAreExact() {
        wide("add.u64", (a, b) -> a + b);
        wide("sub.s64", (a, b) -> a - b);
        wide("mul.lo.s64", (a, b) -> a * b);
        wide("mul.hi.s64", Math::multiplyHigh);
        wide("mul.hi.u64", Math::unsignedMultiplyHigh);
        wide("min.s64", Math::min);
        wide("max.s64", Math::max);
        wide("min.u64", (a, b) -> Long.compareUnsigned(a, b) < 0 ? a : b);
        wide("xor.b64", (a, b) -> a ^ b);
        Operations.unary("neg.s64 %d, %a;", "b64", "b64", WIDE, x -> -x);
        Operations.unary("abs.s64 %d, %a;", "b64", "b64", WIDE, Math::abs);
    }

    @Test
    void givenCarryChains_whenComputed_thenSumsOf64BitsAreExact() {
        String split = "mov.b64 {%t0, %t1}, %a; mov.b64 {%t2, %t3}, %b; ";
        String join = " mov.b64 %d, {%t4, %t5};";
        Operations.binary(
                split + "add.cc.u32 %t4, %t0, %t2; addc.u32 %t5, %t1, %t3;" + join,
                "b64",
                "b64",
                WIDE,
                Long::sum);
        Operations.binary(
                split + "sub.cc.u32 %t4, %t0, %t2; subc.u32 %t5, %t1, %t3;" + join,
                "b64",
                "b64",
                WIDE,
                (x, y) -> x - y);
        Operations.binary(
                split
                        + "add.cc.u32 %t4, %t0, %t2; add.u64 %w0, %a, %b; addc.u32 %t5, %t1, %t3;"
                        + join,
                "b64",
                "b64",
                WIDE,
                Long::sum);
        Operations.binary(
                split + "mad.lo.cc.u32 %t4, %t0, %t2, %t1; madc.hi.u32 %t5, %t0, %t2, %t3;" + join,
                "b64",
                "b64",
                WIDE,
                (x, y) -> unsigned((int) x) * unsigned((int) y) + (x >>> 32) + (y >>> 32 << 32));
    }

    @Test
    void givenBorrow_whenAddedWithCarry_thenBorrowIsCarry() {
        Operations.binary(
                "mov.b64 {%t0, %t1}, %a; mov.b64 {%t2, %t3}, %b; sub.cc.u32 %t4, %t0, %t2; "
                        + "addc.u32 %t5, %t1, %t3; mov.b64 %d, {%t4, %t5};",
                "b64",
                "b64",
                WIDE,
                (x, y) -> {
                    long low = unsigned((int) x) - unsigned((int) y);
                    long high = (x >>> 32) + (y >>> 32) + (low < 0 ? 1 : 0);
                    return low & 0xffffffffL | high << 32;
                });
    }

    @Test
    void givenComparisons_whenCombined_thenBothResultsAreExact() {
        Operations.binary(
                "setp.lt.s32 %q, %a, 10; setp.gt.and.s32 %p|%c0, %a, %b, %q; "
                        + "selp.b32 %t0, 1, 0, %p; selp.b32 %t1, 2, 0, %c0; or.b32 %d, %t0, %t1;",
                "b32", "b32", WORDS, (x, y) -> (int) x >= 10 ? 0 : (int) x > (int) y ? 1 : 2);
    }

    @Test
    void givenNumbers_whenCompared_thenResultsAreExact() {
        String[] names = {"lt", "le", "gt", "ge", "eq", "ne"};
        for (int i = 0; i < names.length; i++) {
            int wanted = new int[] {1, 3, 4, 6, 2, 5}[i];
            String name = "setp." + names[i];
            Operations.binary(
                    name + ".s32 %p, %a, %b; selp.b32 %d, 1, 0, %p;",
                    "b32",
                    "b32",
                    WORDS,
                    (x, y) -> wanted >> Integer.compare((int) x, (int) y) + 1 & 1);
            Operations.binary(
                    name + ".s64 %p, %a, %b; selp.b64 %d, 1, 0, %p;",
                    "b64",
                    "b64",
                    WIDE,
                    (x, y) -> wanted >> Long.compare(x, y) + 1 & 1);
            Operations.binary(
                    name + ".u64 %p, %a, %b; selp.b64 %d, 1, 0, %p;",
                    "b64",
                    "b64",
                    WIDE,
                    (x, y) -> wanted >> Long.compareUnsigned(x, y) + 1 & 1);
            Operations.binary(
                    name + ".u16 %p, %a, %b; selp.b16 %d, 1, 0, %p;",
                    "b16",
                    "b16",
                    HALVES,
                    (x, y) -> wanted >> Long.compare(x, y) + 1 & 1);
        }
    }

    @Test
    void givenWords_whenBitsAreCounted_thenResultsAreExact() {
        Operations.unary("popc.b32 %d, %a;", "b32", "b32", WORDS, Long::bitCount);
        Operations.unary(
                "clz.b32 %d, %a;", "b32", "b32", WORDS, x -> Integer.numberOfLeadingZeros((int) x));
        Operations.unary(
                "brev.b32 %d, %a;", "b32", "b32", WORDS, x -> unsigned(Integer.reverse((int) x)));
        Operations.unary("brev.b64 %d, %a;", "b64", "b64", WIDE, Long::reverse);
        Operations.unary(
                "bfind.u32 %d, %a;",
                "b32", "b32", WORDS, x -> unsigned(31 - Integer.numberOfLeadingZeros((int) x)));
        Operations.unary(
                "clz.b64 %t0, %a; cvt.u64.u32 %d, %t0;",
                "b64", "b64", WIDE, Long::numberOfLeadingZeros);
        Operations.unary(
                "bfind.s64 %t0, %a; cvt.u64.u32 %d, %t0;",
                "b64", "b64", WIDE, x -> unsigned(63 - Long.numberOfLeadingZeros(x < 0 ? ~x : x)));
    }

    @Test
    void givenFields_whenExtractedAndInserted_thenResultsAreExact() {
        Random random = new Random(1);
        int count = 500;
        long[] a = random.longs(count).toArray();
        long[] b = random.longs(count, 0, 80).toArray();
        long[] c = random.longs(count, 0, 80).toArray();
        long[] words = Operations.mask("b32", a);
        Operations.ternary(
                "bfe.u32 %d, %a, %b, %c;",
                "b32", "b32", "b32", "b32", words, b, c, (x, p, n) -> field(x, p, n, 32, false));
        Operations.ternary(
                "bfe.s32 %d, %a, %b, %c;",
                "b32", "b32", "b32", "b32", words, b, c, (x, p, n) -> field(x, p, n, 32, true));
        Operations.ternary(
                "bfe.u64 %d, %a, %b, %c;",
                "b64", "b32", "b32", "b64", a, b, c, (x, p, n) -> field(x, p, n, 64, false));
        Operations.ternary(
                "bfe.s64 %d, %a, %b, %c;",
                "b64", "b32", "b32", "b64", a, b, c, (x, p, n) -> field(x, p, n, 64, true));
        Operations.ternary(
                "bfi.b32 %d, %a, 77, %b, %c;",
                "b32", "b32", "b32", "b32", words, b, c, (x, p, n) -> insert(x, 77, p, n, 32));
        Operations.ternary(
                "bfi.b64 %d, %a, 77, %b, %c;",
                "b64", "b32", "b32", "b64", a, b, c, (x, p, n) -> insert(x, 77, p, n, 64));
    }

    private static int saturate(long sum) {
        return Math.clamp(sum, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /// Returns a bit field, bit by bit.
    private static long field(long a, long position, long length, int width, boolean signed) {
        int last = width - 1;
        boolean sign =
                signed && length > 0 && (a >>> Math.min(position + length - 1, last) & 1) != 0;
        long result = 0;
        for (int i = 0; i < width; i++) {
            boolean bit = i < length && position + i <= last ? (a >>> position + i & 1) != 0 : sign;
            result |= bit ? 1L << i : 0;
        }
        return result;
    }

    private static long insert(long a, long into, long position, long length, int width) {
        long result = into;
        for (int i = 0; i < length && position + i < width; i++) {
            result = result & ~(1L << position + i) | (a >>> i & 1) << position + i;
        }
        return result;
    }
}
