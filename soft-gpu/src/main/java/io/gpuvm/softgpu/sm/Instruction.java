package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.OperandKind;

/// One instruction, decoded: what its fields say, as execution wants it.
///
/// Registers are rows ([Rows]); flips are words to exclusive-or with, 0 or all ones for predicates
/// and integers, the sign bit for floats. Fields that the instruction does not have are 0.
/// Immutable.
final class Instruction {
    /// Size of an instruction.
    static final int BYTES = Long.BYTES;

    private static final int FLOAT_SIGN = Integer.MIN_VALUE;
    private static final int FLOAT_MAGNITUDE = Integer.MAX_VALUE;
    private static final int ALWAYS = 15;

    final Opcode opcode;

    /// What fields are read from: [#word], if it is an instruction.
    private final long encoding;

    /// What is in memory.
    final long word;

    private final Form form;

    /// Where it is, from the start of the code segment.
    final int pc;

    /// Where the next one is.
    final int next;

    final int guard;
    final int guardFlip;
    final int condition;
    final boolean joins;

    final int result;
    final int pdst;
    final int pdst2;

    final int a;
    final OperandKind kindB;
    final int b;
    final OperandKind kindC;
    final int c;

    /// Second or third operand, if it is a constant.
    final int bank;

    final int bankOffset;

    /// Second operand, if it is a number; of doubles the upper word.
    final int immediate;

    final int psrc;
    final int psrcFlip;

    /// Integers: complement of the operand before it is added, with one more added for it.
    final int flipA;

    final int flipB;
    final int flipC;

    /// Complement of the product, likewise.
    final int flipProduct;

    final boolean plusOne;

    /// Floats: bits that stay, then signs that change.
    final int keepA;

    final int signA;
    final int keepB;
    final int signB;
    final int signC;

    final boolean setsConditions;
    final boolean carryIn;
    final boolean saturates;
    final boolean flushes;
    final boolean zeroWins;
    final int rounding;
    final boolean isSigned;

    final int comparison;
    final int logic;
    final int offset;
    final boolean isExtended;
    final int target;

    /// Register that is stored, or that an atomic operation takes.
    final int data;

    /// Register that a compare-and-swap stores.
    final int swap;

    /// Which of the things it is that its operation can do, as [Decoder] says by operation.
    final int mode;

    final int mode2;

    /// Why it cannot be executed; null if it can.
    final WarpError error;

    /// The two instructions that it is together, in the order of their execution; null if it is
    /// one.
    final Instruction first;

    final Instruction second;

    Instruction(Form form, long encoding, long word, int pc, int mode, int mode2, WarpError error) {
        this(form, encoding, word, pc, mode, mode2, error, null, null);
    }

    /// Two instructions that have one word, its guard, and its place.
    static Instruction pair(Form form, long word, Instruction first, Instruction second) {
        WarpError error = first.error != null ? first.error : second.error;
        return new Instruction(form, word, word, first.pc, 0, 0, error, first, second);
    }

    private Instruction(
            Form form,
            long encoding,
            long word,
            int pc,
            int mode,
            int mode2,
            WarpError error,
            Instruction first,
            Instruction second) {
        this.first = first;
        this.second = second;
        this.form = form;
        this.opcode = form.opcode();
        this.encoding = encoding;
        this.word = word;
        this.pc = pc;
        this.mode = mode;
        this.mode2 = mode2;
        this.error = error;
        next = pc + BYTES;
        guard = form.get(Field.PREDICATE, encoding, Warp.TRUE_PREDICATE);
        guardFlip = flip(form, Field.PREDICATE_NOT);
        condition = form.get(Field.CONDITION, encoding, ALWAYS);
        joins = form.is(Field.JOIN, encoding);
        result = Rows.target(register(form, Field.DST));
        pdst = form.get(Field.PDST, encoding, Warp.TRUE_PREDICATE);
        pdst2 = form.get(Field.PDST_2, encoding, Warp.TRUE_PREDICATE);
        data = Rows.source(register(form, Field.DATA));
        swap = Rows.source(register(form, Field.SWAP));
        a = Rows.source(register(form, Field.SRC_A));
        kindB = form.kindB();
        b = Rows.source(register(form, Field.SRC_B));
        kindC = form.kindC();
        c = Rows.source(register(form, Field.SRC_C));
        boolean third = kindC == OperandKind.CONSTANT;
        bank = form.get(third ? Field.C_BANK : Field.B_BANK, encoding, 0);
        bankOffset = form.get(third ? Field.C_OFFSET : Field.B_OFFSET, encoding, 0);
        immediate = form.get(Field.IMMEDIATE, encoding, 0);
        psrc = form.get(Field.PSRC, encoding, Warp.TRUE_PREDICATE);
        psrcFlip = flip(form, Field.PSRC_NOT);
        flipA = flip(form, Field.NEGATE_A) | flip(form, Field.INVERT_A);
        flipB = flip(form, Field.NEGATE_B) | flip(form, Field.INVERT_B);
        flipC = flip(form, Field.NEGATE_C);
        flipProduct = flip(form, Field.NEGATE_PRODUCT);
        plusOne = form.is(Field.PLUS_ONE, encoding);
        keepA = form.is(Field.ABSOLUTE_A, encoding) ? FLOAT_MAGNITUDE : -1;
        keepB = form.is(Field.ABSOLUTE_B, encoding) ? FLOAT_MAGNITUDE : -1;
        signA = (flip(form, Field.NEGATE_A) ^ flipProduct) & FLOAT_SIGN;
        signB = flip(form, Field.NEGATE_B) & FLOAT_SIGN;
        signC = flipC & FLOAT_SIGN;
        setsConditions = form.is(Field.CC_OUT, encoding);
        carryIn = form.is(Field.CARRY_IN, encoding);
        saturates = form.is(Field.SATURATE, encoding);
        zeroWins = form.is(Field.FMZ, encoding);
        flushes = zeroWins || form.is(Field.FTZ, encoding);
        rounding = form.get(Field.ROUNDING, encoding, 0);
        isSigned = form.is(Field.SIGNED, encoding);
        comparison = form.get(Field.COMPARISON, encoding, 0);
        logic = form.get(Field.LOGIC, encoding, 0);
        offset = form.get(Field.OFFSET, encoding, 0);
        isExtended = form.is(Field.EXTENDED, encoding);
        target = form.get(Field.TARGET, encoding, 0) + (form.relative() ? next : 0);
    }

    /// A field that execution asks for seldom.
    int field(Field field, int otherwise) {
        return form.get(field, encoding, otherwise);
    }

    boolean is(Field flag) {
        return form.is(flag, encoding);
    }

    private int flip(Form form, Field flag) {
        return form.is(flag, encoding) ? -1 : 0;
    }

    private int register(Form form, Field field) {
        return form.get(field, encoding, Rows.ZERO_REGISTER);
    }
}
