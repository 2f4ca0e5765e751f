package io.gpuvm.softgpu.sm.code;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.AtomicType;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.NumberType;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.gf100.isa.VideoPart;
import io.gpuvm.gf100.isa.VideoResult;

/// Decodes words into instructions, and checks their operands.
///
/// [Instruction#mode] and [Instruction#mode2] by operation:
///
/// | operations | mode | mode2 |
/// |---|---|---|
/// | LOP | `LOGIC_INNER` | |
/// | IMUL, IMAD | [#HIGH] and the factors' signs, as bits | |
/// | video arithmetic | the sources' signs, as bits | [#videoParts] |
/// | ISCADD | `SHIFT` | |
/// | IMNMX | `WIDE_PART` | |
/// | SHL, SHR, BFE | `WRAP` | `REVERSE` |
/// | FLO | `SHIFT_AMOUNT` | |
/// | PRMT | `PERMUTE` | |
/// | FMUL | `SCALE` | |
/// | MUFU | `FUNCTION` | |
/// | MOV | `QUAD_LANES` | |
/// | F2F, F2I, I2F, I2I | `DST_TYPE` | `SRC_TYPE` |
/// | S2R | `SPECIAL_REGISTER` | |
/// | VOTE | `VOTE` | |
/// | CSET, CSETP | `TEST` | |
/// | ISET, FSET, DSET, CSET, PSET | | `BOOLEAN_FLOAT` |
/// | loads and stores | `SIZE` | |
/// | ATOM, RED | `ATOMIC` | `ATOMIC_TYPE` |
/// | TLD | `COMPONENTS` | `TEXTURE` |
/// | branches | `UNIFORM` | |
public final class Decoder {
    /// Bit of a product's mode: the result is the upper half of the product.
    public static final int HIGH = 1;

    /// Bit of the mode of products and video arithmetic: the first source is signed.
    public static final int SIGNED_A = 2;

    /// Bit of the mode of products and video arithmetic: the second source is signed.
    public static final int SIGNED_B = 4;

    /// Placeholder for words that are not instructions: NOP for every lane.
    private static final long NOP = 0x4000_0000_0000_1de4L;

    private static final Form NOTHING = InstructionTable.find(NOP);

    private static final Form LD = InstructionTable.forms(Opcode.LD).getFirst();
    private static final Form LDS = InstructionTable.forms(Opcode.LDS).getFirst();
    private static final Form LDU = InstructionTable.forms(Opcode.LDU).getFirst();
    private static final MemorySize[] SIZES = MemorySize.values();

    /// Number of bits of the part selector of a source in video arithmetic.
    public static final int PART_BITS = 3;

    private Decoder() {}

    /// Decodes a word.
    ///
    /// @param registers number of registers of a thread
    public static Instruction decode(long word, int pc, int registers) {
        Form form = InstructionTable.find(word);
        if (form == null) {
            return wrong(word, pc, WarpError.ILLEGAL_INSTR_ENCODING);
        }
        if (form.opcode() == Opcode.LD_LDU || form.opcode() == Opcode.LDS_LDU) {
            return pair(form, word, pc, registers);
        }
        WarpError error = check(form, word, registers);
        return new Instruction(form, word, word, pc, mode(form, word), mode2(form, word), error);
    }

    /// Decodes a paired load: a load and a uniform load. They are executed in that order, unless
    /// the first would overwrite the address of the second.
    private static Instruction pair(Form form, long word, int pc, int registers) {
        boolean shared = form.opcode() == Opcode.LDS_LDU;
        long load =
                load(
                        shared ? LDS : LD,
                        form.get(Field.DST, word),
                        form.get(Field.SRC_A, word),
                        form.get(Field.OFFSET, word),
                        form.get(Field.SIZE, word),
                        form.get(Field.EXTENDED, word, 0));
        long uniform =
                load(
                        LDU,
                        form.get(Field.DST_2, word),
                        form.get(Field.ADDRESS_2, word),
                        form.get(Field.OFFSET_2, word),
                        form.get(Field.SIZE_2, word),
                        form.get(Field.EXTENDED_2, word));
        Instruction one = decode(load, pc, registers);
        Instruction other = decode(uniform, pc, registers);
        int start = form.get(Field.DST, word);
        int end = start + Math.max(1, SIZES[form.get(Field.SIZE, word)].bytes() / Integer.BYTES);
        int address = form.get(Field.ADDRESS_2, word);
        int addressEnd = address + (form.is(Field.EXTENDED_2, word) ? 2 : 1);
        boolean overwrites = start < addressEnd && address < end;
        return overwrites
                ? Instruction.pair(form, word, other, one)
                : Instruction.pair(form, word, one, other);
    }

    private static long load(
            Form form, int result, int address, int offset, int size, int extended) {
        long word = form.set(Field.DST, result, form.template());
        word = form.set(Field.SRC_A, address, word);
        word = form.set(Field.OFFSET, offset, word);
        word = form.set(Field.SIZE, size, word);
        return form.has(Field.EXTENDED) ? form.set(Field.EXTENDED, extended, word) : word;
    }

    /// Returns an instruction that cannot be executed.
    public static Instruction wrong(long word, int pc, WarpError error) {
        return new Instruction(NOTHING, NOP, word, pc, 0, 0, error);
    }

    private static int mode(Form form, long word) {
        return switch (form.opcode()) {
            case LOP, LOP32I -> form.get(Field.LOGIC_INNER, word);
            case IMUL, IMUL32I, IMAD, IMAD32I -> product(form, word);
            case VADD, VMNMX, VABSDIFF, VSET, VSETP, VSHL, VSHR, VMAD -> product(form, word);
            case ISCADD, ISCADD32I -> form.get(Field.SHIFT, word);
            case IMNMX -> form.get(Field.WIDE_PART, word, 0);
            case SHL, SHR -> form.get(Field.WRAP, word);
            case FLO -> form.get(Field.SHIFT_AMOUNT, word);
            case PRMT -> form.get(Field.PERMUTE, word);
            case FMUL -> form.get(Field.SCALE, word, 0);
            case MUFU -> form.get(Field.FUNCTION, word);
            case MOV, MOV32I -> form.get(Field.QUAD_LANES, word);
            case F2F, F2I, I2F, I2I -> form.get(Field.DST_TYPE, word);
            case S2R -> form.get(Field.SPECIAL_REGISTER, word);
            case VOTE -> form.get(Field.VOTE, word);
            case CSET, CSETP -> form.get(Field.TEST, word);
            case ATOM, RED -> form.get(Field.ATOMIC, word);
            case TLD -> form.get(Field.COMPONENTS, word);
            default -> form.get(form.has(Field.SIZE) ? Field.SIZE : Field.UNIFORM, word, 0);
        };
    }

    private static int mode2(Form form, long word) {
        return switch (form.opcode()) {
            case SHR, BFE -> form.get(Field.REVERSE, word);
            case F2F, F2I, I2F, I2I -> form.get(Field.SRC_TYPE, word);
            case ATOM, RED -> form.get(Field.ATOMIC_TYPE, word);
            case TLD -> form.get(Field.TEXTURE, word);
            case VADD, VMNMX, VABSDIFF, VSET, VSETP, VSHL, VSHR, VMAD -> parts(form, word);
            default -> form.get(Field.BOOLEAN_FLOAT, word, 0);
        };
    }

    private static int product(Form form, long word) {
        return (form.is(Field.HIGH, word) ? HIGH : 0)
                | (form.is(Field.SIGNED_A, word) ? SIGNED_A : 0)
                | (form.is(Field.SIGNED_B, word) ? SIGNED_B : 0);
    }

    /// Returns [Instruction#mode2] for video arithmetic: the parts of the sources, and the second
    /// operation.
    public static int videoParts(int partA, int partB, int result) {
        return partA | partB << PART_BITS | result << 2 * PART_BITS;
    }

    /// Returns the parts of the sources, and the second operation. An immediate operand is half a
    /// word wide.
    private static int parts(Form form, long word) {
        VideoPart usual = form.kindB() == OperandKind.IMMEDIATE ? VideoPart.H0 : VideoPart.WORD;
        return videoParts(
                form.get(Field.PART_A, word),
                form.get(Field.PART_B, word, usual.ordinal()),
                form.get(Field.VIDEO_RESULT, word, VideoResult.NONE.ordinal()));
    }

    private static WarpError check(Form form, long word, int registers) {
        WarpError error = check(form, word, registers, Field.DST, resultWords(form, word));
        int sources = sourceWords(form, word);
        int address = form.is(Field.EXTENDED, word) ? 2 : sources;
        error = first(error, check(form, word, registers, Field.SRC_A, address));
        error = first(error, check(form, word, registers, Field.SRC_B, sources));
        error = first(error, check(form, word, registers, Field.SRC_C, sources));
        int data = form.has(Field.DATA) ? dataWords(form, word) : 1;
        error = first(error, check(form, word, registers, Field.DATA, data));
        return first(error, check(form, word, registers, Field.SWAP, data));
    }

    private static WarpError first(WarpError error, WarpError other) {
        return error != null ? error : other;
    }

    private static WarpError check(Form form, long word, int registers, Field field, int words) {
        int register = form.get(field, word, Rows.ZERO_REGISTER);
        if (register == Rows.ZERO_REGISTER) {
            return null;
        }
        // Three words, which occur only in texels, have the alignment of four words.
        if (register % (words == 3 ? 4 : words) != 0) {
            return WarpError.MISALIGNED_REG;
        }
        return register + words > registers ? WarpError.OOR_REG : null;
    }

    private static int resultWords(Form form, long word) {
        return switch (form.opcode()) {
            case DADD, DMUL, DFMA, DMNMX -> 2;
            case F2F, F2I, I2F, I2I -> wordsOf(form.get(Field.DST_TYPE, word));
            default -> form.has(Field.DST) ? dataWords(form, word) : 1;
        };
    }

    private static int sourceWords(Form form, long word) {
        return switch (form.opcode()) {
            case DADD, DMUL, DFMA, DMNMX, DSET, DSETP -> 2;
            case F2F, F2I, I2F, I2I -> wordsOf(form.get(Field.SRC_TYPE, word));
            default -> 1;
        };
    }

    private static int wordsOf(int numberType) {
        return NumberType.of(numberType).bytes() == Long.BYTES ? 2 : 1;
    }

    /// Returns the number of words that a memory instruction moves; 1 for other instructions.
    private static int dataWords(Form form, long word) {
        int bytes = Integer.BYTES;
        if (form.has(Field.ATOMIC_TYPE)) {
            bytes = AtomicType.of(form.get(Field.ATOMIC_TYPE, word)).bytes();
        } else if (form.has(Field.SIZE)) {
            bytes = MemorySize.of(form.get(Field.SIZE, word)).bytes();
        } else if (form.has(Field.COMPONENTS)) {
            bytes = Integer.bitCount(form.get(Field.COMPONENTS, word)) * Integer.BYTES;
        }
        return Math.max(1, bytes / Integer.BYTES);
    }
}
