package io.gpuvm.softgpu.sm.code;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.OperandKind;

/// Decoded instruction: its fields, in the form that execution needs.
///
/// Registers are rows ([Rows]). Flips are operands of an exclusive-or: 0 or all ones for predicates
/// and integers, 0 or the sign bit for floats. Fields that the instruction does not have are 0.
/// Immutable.
public final class Instruction {
    /// Size of an instruction, in bytes.
    public static final int BYTES = Long.BYTES;

    private static final int FLOAT_SIGN = Integer.MIN_VALUE;
    private static final int FLOAT_MAGNITUDE = Integer.MAX_VALUE;

    /// Number of the predicate that is always true.
    public static final int TRUE_PREDICATE = 7;

    /// Condition code that is always true.
    public static final int ALWAYS = 15;

    public final Opcode opcode;

    /// Word from which fields are read: [#word], if it is an instruction.
    private final long encoding;

    /// Word in memory.
    public final long word;

    private final Form form;

    /// Offset from the start of the code segment, in bytes.
    public final int pc;

    /// Offset of the next instruction.
    public final int next;

    public final int guard;
    public final int guardFlip;
    public final int condition;
    public final boolean joins;

    public final int result;
    public final int pdst;
    public final int pdst2;

    public final int a;
    public final OperandKind kindB;
    public final int b;
    public final OperandKind kindC;
    public final int c;

    /// Constant bank of the second or third operand, if the operand is a constant.
    public final int bank;

    /// Offset in [#bank], in bytes.
    public final int bankOffset;

    /// Second operand, if immediate; for doubles, the upper word.
    public final int immediate;

    public final int psrc;
    public final int psrcFlip;

    /// For integers: flip that complements the first operand before the addition, which then adds
    /// 1.
    public final int flipA;

    /// As [#flipA], for the second operand.
    public final int flipB;

    /// As [#flipA], for the third operand.
    public final int flipC;

    /// For integers: flip that complements the product before the addition, which then adds 1.
    public final int flipProduct;

    public final boolean plusOne;

    /// For floats: mask of the bits of the first operand to keep.
    public final int keepA;

    /// For floats: mask of the sign of the first operand, if the sign is inverted; otherwise 0.
    public final int signA;

    /// As [#keepA], for the second operand.
    public final int keepB;

    /// As [#signA], for the second operand.
    public final int signB;

    /// As [#signA], for the third operand.
    public final int signC;

    public final boolean setsConditions;
    public final boolean carryIn;
    public final boolean saturates;
    public final boolean flushes;
    public final boolean zeroWins;
    public final int rounding;
    public final boolean isSigned;

    public final int comparison;
    public final int logic;
    public final int offset;
    public final boolean isExtended;
    public final int target;

    /// Register that is stored, or that is the operand of an atomic operation.
    public final int data;

    /// Register that a compare-and-swap stores.
    public final int swap;

    /// Variant of the operation; [Decoder] lists the variants.
    public final int mode;

    /// Second variant of the operation; [Decoder] lists the variants.
    public final int mode2;

    /// Error that prevents execution; null if there is none.
    public final WarpError error;

    /// Instruction of a paired load that is executed first; null for a single instruction.
    public final Instruction first;

    /// Instruction of a paired load that is executed second; null for a single instruction.
    public final Instruction second;

    Instruction(Form form, long encoding, long word, int pc, int mode, int mode2, WarpError error) {
        this(form, encoding, word, pc, mode, mode2, error, null, null);
    }

    /// Creates an instruction from two instructions that share a word, a guard and an address.
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
        guard = form.get(Field.PREDICATE, encoding, TRUE_PREDICATE);
        guardFlip = flip(form, Field.PREDICATE_NOT);
        condition = form.get(Field.CONDITION, encoding, ALWAYS);
        joins = form.is(Field.JOIN, encoding);
        result = Rows.target(register(form, Field.DST));
        pdst = form.get(Field.PDST, encoding, TRUE_PREDICATE);
        pdst2 = form.get(Field.PDST_2, encoding, TRUE_PREDICATE);
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
        psrc = form.get(Field.PSRC, encoding, TRUE_PREDICATE);
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

    /// Returns a field that execution rarely uses; `otherwise` if the instruction does not have the
    /// field.
    public int field(Field field, int otherwise) {
        return form.get(field, encoding, otherwise);
    }

    public boolean is(Field flag) {
        return form.is(flag, encoding);
    }

    private int flip(Form form, Field flag) {
        return form.is(flag, encoding) ? -1 : 0;
    }

    private int register(Form form, Field field) {
        return form.get(field, encoding, Rows.ZERO_REGISTER);
    }
}
