package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.isa.Disassembler;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.softgpu.sm.code.Rows;
import java.math.BigInteger;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Video arithmetic as the PTX manual describes it, with numbers of any size.
class VideoArithmeticTest {
    private static final long SEED = 20_260;
    private static final int WORDS = 120;
    private static final int[] SPECIAL = {
        0,
        1,
        -1,
        31,
        32,
        33,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        Integer.MIN_VALUE + 1,
        0x80008000,
        0x7fff7fff
    };

    private static final Set<Opcode> OPCODES =
            EnumSet.of(
                    Opcode.VADD,
                    Opcode.VMNMX,
                    Opcode.VABSDIFF,
                    Opcode.VSET,
                    Opcode.VSHL,
                    Opcode.VSHR,
                    Opcode.VMAD);

    private final Random random = new Random(SEED);
    private final TestSm sm = new TestSm();

    @AfterEach
    void close() {
        sm.close();
    }

    @Test
    void givenRandomInstructions_whenRun_thenResultsMatchManual() {
        for (Form form : InstructionTable.forms()) {
            for (int i = 0; OPCODES.contains(form.opcode()) && i < WORDS; i++) {
                check(form, word(form));
            }
        }
    }

    @Test
    void givenComparisonsToPredicates_whenRun_thenBothPredicatesAreSet() {
        int[] a = {1, 2, 3};
        int[] b = {2, 2, 2};
        long word =
                Code.word(
                        Opcode.VSETP,
                        Field.SRC_A,
                        1,
                        Field.SRC_B,
                        2,
                        Field.PDST,
                        1,
                        Field.PDST_2,
                        2,
                        Field.COMPARISON,
                        3,
                        Field.SIGNED_A,
                        1,
                        Field.SIGNED_B,
                        1,
                        Field.PART_A,
                        6,
                        Field.PART_B,
                        6,
                        Field.PSRC,
                        7);
        sm.code(new Code().add(word).exit()).set(1, lanes(a)).set(2, lanes(b)).run();
        assertEquals(0b011, sm.predicate(1) & 0b111, "less or equal");
        assertEquals(0b100, sm.predicate(2) & 0b111, "neither");
    }

    /// Returns an instruction with random fields that reads registers 1, 2 and 3, writes register 4
    /// in every thread, and does not change the condition code.
    private long word(Form form) {
        while (true) {
            long word = form.template();
            for (Field field : form.fields()) {
                if (!form.isConstant(field)) {
                    word = form.set(field, form.get(field, random.nextLong()), word);
                }
            }
            word = form.set(Field.PREDICATE, 7, form.set(Field.PREDICATE_NOT, 0, word));
            word = form.set(Field.JOIN, 0, form.set(Field.CC_OUT, 0, word));
            word = form.set(Field.DST, 4, form.set(Field.SRC_A, 1, word));
            word = form.set(Field.SRC_C, 3, word);
            if (form.has(Field.SRC_B)) {
                word = form.set(Field.SRC_B, 2, word);
            }
            if (InstructionTable.find(word) == form) {
                return word;
            }
        }
    }

    private void check(Form form, long word) {
        int[] a = operands();
        int[] b = operands();
        int[] c = operands();
        int[] want = new int[a.length];
        for (int l = 0; l < a.length; l++) {
            int second = form.has(Field.SRC_B) ? b[l] : form.get(Field.IMMEDIATE, word);
            want[l] = expected(form, word, a[l], second, c[l]);
        }
        sm.code(word, Code.word(Opcode.EXIT)).set(1, a).set(2, b).set(3, c).run();
        assertArrayEquals(
                want,
                sm.register(4),
                () -> "seed=" + SEED + ", " + Disassembler.text(form, word, 0));
    }

    private int expected(Form form, long word, int a, int b, int c) {
        boolean signedA = form.is(Field.SIGNED_A, word);
        boolean signedB = form.is(Field.SIGNED_B, word);
        BigInteger x = part(a, form.get(Field.PART_A, word), signedA);
        int partB = form.get(Field.PART_B, word, 4);
        boolean shifts = form.opcode() == Opcode.VSHL || form.opcode() == Opcode.VSHR;
        BigInteger y = part(b, partB, signedB && !shifts);
        if (form.opcode() == Opcode.VMAD) {
            return product(form, word, x, y, c, signedA || signedB);
        }
        BigInteger first =
                switch (form.opcode()) {
                    case VADD -> {
                        BigInteger sum = form.is(Field.NEGATE_A, word) ? x.negate() : x;
                        sum = form.is(Field.NEGATE_B, word) ? sum.subtract(y) : sum.add(y);
                        yield form.is(Field.PLUS_ONE, word) ? sum.add(BigInteger.ONE) : sum;
                    }
                    case VMNMX -> form.is(Field.MAXIMUM, word) ? x.max(y) : x.min(y);
                    case VABSDIFF -> x.subtract(y).abs();
                    case VSET -> compare(x.compareTo(y), form.get(Field.COMPARISON, word));
                    case VSHL -> firstResult(x.shiftLeft(count(y, form.is(Field.WRAP, word))));
                    default -> x.shiftRight(count(y, form.is(Field.WRAP, word)));
                };
        return combine(form, word, first, c);
    }

    /// Returns the lowest 34 bits as a signed number: the manual's size of the first result, which
    /// only left shifts can exceed.
    private static BigInteger firstResult(BigInteger value) {
        BigInteger size = BigInteger.ONE.shiftLeft(34);
        BigInteger bits = value.mod(size);
        return bits.testBit(33) ? bits.subtract(size) : bits;
    }

    private static BigInteger compare(int order, int code) {
        boolean[] truths = {
            false, order < 0, order == 0, order <= 0, order > 0, order != 0, order >= 0, true
        };
        return truths[code] ? BigInteger.ONE : BigInteger.ZERO;
    }

    private static int count(BigInteger count, boolean wrap) {
        return wrap
                ? count.intValue() & 31
                : count.min(BigInteger.valueOf(Integer.SIZE)).intValue();
    }

    private static int combine(Form form, long word, BigInteger value, int c) {
        int result = form.get(Field.VIDEO_RESULT, word);
        boolean signed = form.is(Field.SIGNED, word);
        int bits = result < 2 ? 16 : result < 4 ? 8 : 32;
        BigInteger fitting = form.is(Field.SATURATE, word) ? saturate(value, bits, signed) : value;
        int first = fitting.intValue();
        BigInteger one = number(first, signed);
        BigInteger other = number(c, signed);
        return switch (result) {
            case 0 -> first << 16 | c & 0xffff;
            case 1 -> c & 0xffff_0000 | first & 0xffff;
            case 2 -> c & 0xffff_ff00 | first & 0xff;
            case 3 -> c & 0xff00_ffff | (first & 0xff) << 16;
            case 4 -> first + c;
            case 5 -> one.min(other).intValue();
            case 6 -> one.max(other).intValue();
            default -> first;
        };
    }

    private static int product(
            Form form, long word, BigInteger x, BigInteger y, int c, boolean signedFactors) {
        boolean negateProduct = form.is(Field.NEGATE_PRODUCT, word);
        boolean negateThird = form.is(Field.NEGATE_C, word);
        boolean signed = signedFactors || negateProduct || negateThird;
        BigInteger third = number(c, signed);
        BigInteger sum = negateProduct ? x.multiply(y).negate() : x.multiply(y);
        sum = negateThird ? sum.subtract(third) : sum.add(third);
        sum = form.is(Field.PLUS_ONE, word) ? sum.add(BigInteger.ONE) : sum;
        int[] shifts = {0, 7, 15};
        BigInteger shifted = sum.shiftRight(shifts[form.get(Field.VIDEO_SHIFT, word)]);
        return (form.is(Field.SATURATE, word) ? saturate(shifted, 32, signed) : shifted).intValue();
    }

    private static BigInteger saturate(BigInteger value, int bits, boolean signed) {
        BigInteger size = BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits);
        BigInteger least = signed ? size.negate() : BigInteger.ZERO;
        return value.max(least).min(size.subtract(BigInteger.ONE));
    }

    private static BigInteger part(int word, int part, boolean signed) {
        int bits = part < 4 ? 8 : part < 6 ? 16 : 32;
        int shift = part < 4 ? 8 * part : part < 6 ? 16 * (part - 4) : 0;
        BigInteger value = number(word, false).shiftRight(shift);
        value = value.mod(BigInteger.ONE.shiftLeft(bits));
        return signed && value.testBit(bits - 1)
                ? value.subtract(BigInteger.ONE.shiftLeft(bits))
                : value;
    }

    private static BigInteger number(int word, boolean signed) {
        return BigInteger.valueOf(signed ? word : Integer.toUnsignedLong(word));
    }

    private int[] operands() {
        int[] values = new int[Rows.LANES];
        for (int l = 0; l < values.length; l++) {
            values[l] =
                    random.nextInt(3) == 0
                            ? random.nextInt()
                            : SPECIAL[random.nextInt(SPECIAL.length)];
        }
        return values;
    }

    private static int[] lanes(int... values) {
        int[] all = new int[Rows.LANES];
        System.arraycopy(values, 0, all, 0, values.length);
        return all;
    }
}
