package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.AtomicType;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Single random instructions that can be executed anywhere in the environment of [Playground].
final class RandomInstructions {
    private static final int ALWAYS = 15;
    private static final int TRUE = 7;
    static final int ALL_QUAD_LANES = 15;
    private static final int LEAST_OFFSET = -1024;
    private static final int LEAST_SHARED_OFFSET = -256;
    private static final int LEAST_LOCAL_OFFSET = -64;

    private static final Set<Opcode> MEMORY =
            EnumSet.of(
                    Opcode.LD,
                    Opcode.LDU,
                    Opcode.LD_LDU,
                    Opcode.LDS_LDU,
                    Opcode.LDL,
                    Opcode.LDS,
                    Opcode.LDC,
                    Opcode.LDSLK,
                    Opcode.ST,
                    Opcode.STL,
                    Opcode.STS,
                    Opcode.STSUL,
                    Opcode.ATOM,
                    Opcode.RED);

    /// Operations that change control flow, or that the environment does not support.
    private static final Set<Opcode> OTHERS =
            EnumSet.of(
                    Opcode.LDLK,
                    Opcode.STUL,
                    Opcode.BRA,
                    Opcode.BRX,
                    Opcode.JMP,
                    Opcode.JMX,
                    Opcode.CAL,
                    Opcode.JCAL,
                    Opcode.PRET,
                    Opcode.SSY,
                    Opcode.PBK,
                    Opcode.PCNT,
                    Opcode.PLONGJMP,
                    Opcode.EXIT,
                    Opcode.LONGJMP,
                    Opcode.RET,
                    Opcode.KIL,
                    Opcode.BRK,
                    Opcode.CONT,
                    Opcode.RTT,
                    Opcode.BPT,
                    Opcode.BAR);

    private static final List<Form> ARITHMETIC =
            InstructionTable.forms().stream()
                    .filter(f -> !MEMORY.contains(f.opcode()) && !OTHERS.contains(f.opcode()))
                    .toList();

    /// The most common operations of real code.
    private static final Set<Opcode> COMMON =
            EnumSet.of(
                    Opcode.IADD,
                    Opcode.IADD32I,
                    Opcode.ISCADD,
                    Opcode.IMUL,
                    Opcode.IMAD,
                    Opcode.IMNMX,
                    Opcode.ISETP,
                    Opcode.ISET,
                    Opcode.LOP,
                    Opcode.LOP32I,
                    Opcode.SHL,
                    Opcode.SHR,
                    Opcode.FADD,
                    Opcode.FMUL,
                    Opcode.FFMA,
                    Opcode.FMNMX,
                    Opcode.FSETP,
                    Opcode.MOV,
                    Opcode.MOV32I,
                    Opcode.SEL,
                    Opcode.PSETP,
                    Opcode.S2R);

    private static final List<Form> COMMON_FORMS =
            ARITHMETIC.stream().filter(f -> COMMON.contains(f.opcode())).toList();
    private static final List<Opcode> ARITHMETIC_OPCODES =
            ARITHMETIC.stream().map(Form::opcode).distinct().toList();

    /// The most common accesses.
    private static final List<Opcode> COMMON_MEMORY =
            List.of(Opcode.LD, Opcode.ST, Opcode.LDS, Opcode.STS);

    private static final List<Opcode> ALL_MEMORY = List.copyOf(MEMORY);
    private static final Set<Opcode> PAIRS = EnumSet.of(Opcode.LD_LDU, Opcode.LDS_LDU);
    private static final SpecialRegister[] SPECIALS = SpecialRegister.values();

    private final Random random;

    /// Percentage of common instructions.
    private final int common;

    /// Percentage of guarded instructions.
    private final int guarded;

    /// Percentage of set modifiers.
    private final int modified;

    /// Predicate that most instructions use, so that the instructions depend on each other.
    private final int favourite;

    /// @param random source of all choices, beginning with the properties of the kernel
    RandomInstructions(Random random) {
        this.random = random;
        common = new int[] {100, 90, 60, 20, 0}[random.nextInt(5)];
        guarded = new int[] {0, 0, 10, 40}[random.nextInt(4)];
        modified = new int[] {0, 10, 50}[random.nextInt(3)];
        favourite = random.nextInt(TRUE);
    }

    private boolean percent(int of) {
        return random.nextInt(100) < of;
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private Form formOf(List<Opcode> opcodes) {
        return any(InstructionTable.forms(any(opcodes)));
    }

    /// Returns an arithmetic instruction.
    long arithmetic() {
        while (true) {
            Form form = percent(common) ? any(COMMON_FORMS) : formOf(ARITHMETIC_OPCODES);
            long word = filled(form, false);
            if (isSound(form, word)) {
                return word;
            }
        }
    }

    /// Returns an unguarded arithmetic instruction whose operands are equal in all lanes.
    long uniform() {
        while (true) {
            Form form = any(COMMON_FORMS);
            long word = filled(form, true);
            if (isSound(form, word)) {
                return word;
            }
        }
    }

    private static boolean isSound(Form form, long word) {
        return form.accepts(word)
                && InstructionTable.find(word) == form
                && Decoder.decode(word, 0, Playground.REGISTERS).error == null;
    }

    private long filled(Form form, boolean uniform) {
        long word = form.template();
        for (Field field : form.fields()) {
            if (!form.isConstant(field)) {
                int value = value(form, field, word, uniform);
                word = form.fits(field, value) ? form.set(field, value, word) : word;
            }
        }
        return uniform ? word : guard(form, word);
    }

    /// Returns the word, possibly with a guard.
    private long guard(Form form, long word) {
        if (!form.has(Field.PREDICATE) || !percent(guarded)) {
            return word;
        }
        return guarded(form, word);
    }

    /// Returns the word with a guard.
    long guarded(Form form, long word) {
        long with = form.set(Field.PREDICATE, predicate(), word);
        with = form.set(Field.PREDICATE_NOT, random.nextInt(2), with);
        if (form.fits(Field.CONDITION, ALWAYS) && random.nextInt(6) == 0) {
            int condition = random.nextInt(24);
            with = form.set(Field.CONDITION, condition == 15 ? 22 : condition, with);
        }
        return with;
    }

    private int value(Form form, Field field, long word, boolean uniform) {
        int now = form.get(field, word);
        return switch (field) {
            case PREDICATE, PREDICATE_NOT, JOIN -> now;
            case CONDITION -> ALWAYS;
            case DST -> uniform ? uniformRegister() : target();
            case SRC_A, SRC_B, SRC_C, DATA, SWAP -> uniform ? uniformSource() : source();
            case PDST, PDST_2 -> random.nextInt(8) == 0 ? TRUE : predicate();
            case PSRC, PSRC_A, PSRC_B -> random.nextInt(uniform ? 2 : 8) == 0 ? TRUE : predicate();
            case PSRC_NOT, PSRC_A_NOT, PSRC_B_NOT -> random.nextInt(2);
            case IMMEDIATE -> immediate(form);
            case B_BANK, C_BANK -> bank();
            case B_OFFSET, C_OFFSET -> random.nextInt(Playground.BANK_WORDS) * Integer.BYTES;
            case CC_OUT, CARRY_IN -> !uniform && percent(15) ? 1 : 0;
            case SPECIAL_REGISTER -> special(uniform);
            case QUAD_LANES -> uniform || !percent(modified) ? ALL_QUAD_LANES : random.nextInt(16);
            case TEXTURE -> random.nextBoolean() ? Playground.TEXTURE : 0;
            // All variants of an operation must occur.
            case COMPARISON, LOGIC, LOGIC_INNER, SHIFT, FUNCTION, TEST, VOTE, COMPONENTS ->
                    form.get(field, random.nextLong());
            case SIGNED, SIGNED_A, SIGNED_B, HIGH, WRAP, PERMUTE, DST_TYPE, SRC_TYPE, PART ->
                    form.get(field, random.nextLong());
            default -> percent(modified) ? form.get(field, random.nextLong()) : now;
        };
    }

    private int bank() {
        return random.nextInt(4) == 0 ? Playground.OTHER_BANK : Playground.BANK;
    }

    private int immediate(Form form) {
        int value = RandomValues.word(random);
        if (form.fits(Field.IMMEDIATE, value)) {
            return value;
        }
        value = RandomValues.integer(random);
        return form.fits(Field.IMMEDIATE, value)
                ? value
                : form.get(Field.IMMEDIATE, random.nextLong());
    }

    private int special(boolean uniform) {
        while (true) {
            SpecialRegister register = SPECIALS[random.nextInt(SPECIALS.length)];
            boolean isClock =
                    register == SpecialRegister.CLOCKLO || register == SpecialRegister.CLOCKHI;
            boolean isOfLane =
                    switch (register) {
                        case LANEID, TID, TID_X, TID_Y, TID_Z -> true;
                        case EQMASK, LTMASK, LEMASK, GTMASK, GEMASK -> true;
                        default -> false;
                    };
            if (!isClock && !(uniform && isOfLane)) {
                return register.code();
            }
        }
    }

    /// Returns a register for a result.
    int target() {
        return random.nextInt(16) == 0 ? Rows.ZERO_REGISTER : random.nextInt(Playground.WORK);
    }

    /// Returns any register, usually one with results.
    int source() {
        return random.nextInt(8) == 0
                ? random.nextInt(Rows.ZERO_REGISTER + 1)
                : random.nextInt(Playground.UNIFORM_END);
    }

    /// Returns a predicate other than the constant predicate.
    int predicate() {
        return random.nextBoolean() ? favourite : random.nextInt(TRUE);
    }

    /// Returns a register with results that are equal in all lanes.
    int uniformRegister() {
        return Playground.UNIFORM + random.nextInt(Playground.UNIFORM_END - Playground.UNIFORM);
    }

    /// Returns a register whose value is usually equal in all lanes.
    int uniformSource() {
        return random.nextInt(8) == 0 ? Rows.ZERO_REGISTER : uniformRegister();
    }

    /// Returns an instruction that loads or stores at a valid address.
    long memory() {
        while (true) {
            Form form = formOf(random.nextInt(3) > 0 ? COMMON_MEMORY : ALL_MEMORY);
            long word = access(form);
            if (isSound(form, word)) {
                return word;
            }
        }
    }

    /// Returns an instruction that loads or stores global memory at the computed address.
    long memoryAt(int register) {
        while (true) {
            Form form =
                    InstructionTable.forms(random.nextBoolean() ? Opcode.LD : Opcode.ST).getFirst();
            long word = filled(form, false);
            word = form.set(Field.SIZE, random.nextInt(MemorySize.values().length), word);
            word = form.set(Field.SRC_A, register, word);
            word = form.set(Field.EXTENDED, 1, word);
            word = form.set(Field.OFFSET, offset(bytes(form, word), LEAST_OFFSET), word);
            if (isSound(form, word)) {
                return word;
            }
        }
    }

    private long access(Form form) {
        long word = filled(form, false);
        word = chosen(form, Field.SIZE, word);
        word = chosen(form, Field.SIZE_2, word);
        word = chosen(form, Field.EXTENDED, word);
        word = chosen(form, Field.EXTENDED_2, word);
        word = chosen(form, Field.ATOMIC, word);
        word = chosen(form, Field.ATOMIC_TYPE, word);
        if (!form.accepts(word)) {
            return word;
        }
        int bytes = bytes(form, word);
        boolean wide = form.is(Field.EXTENDED, word);
        int address;
        int least;
        switch (form.opcode()) {
            case LDS, LDSLK, STS, STSUL, LDS_LDU -> {
                address = shared(bytes);
                least = LEAST_SHARED_OFFSET;
            }
            case LDL, STL -> {
                if (random.nextInt(6) == 0) {
                    int fromTop = random.nextInt(Playground.LOCAL_TOP_BYTES) & -bytes;
                    word = form.set(Field.SRC_A, Rows.ZERO_REGISTER, word);
                    return place(form, Field.OFFSET, fromTop - Playground.LOCAL_TOP_BYTES, word);
                }
                address = random.nextBoolean() ? Playground.LOCAL : Playground.LOCAL_LANES;
                least = LEAST_LOCAL_OFFSET;
            }
            case LDC -> {
                address = random.nextInt(4) == 0 ? Rows.ZERO_REGISTER : Playground.CONSTANT;
                word = form.set(Field.B_BANK, bank(), word);
                word = form.set(Field.SRC_A, address, word);
                return place(
                        form, Field.OFFSET, random.nextInt(Playground.BANK_WORDS) & -bytes, word);
            }
            default -> {
                boolean atomic = form.has(Field.ATOMIC);
                address = wide ? global(bytes) : low(atomic);
                least =
                        wide || address == Playground.LOW_GLOBAL
                                ? LEAST_OFFSET
                                : LEAST_LOCAL_OFFSET;
            }
        }
        word = form.set(Field.SRC_A, address, word);
        word = place(form, Field.OFFSET, offset(bytes, least), word);
        if (PAIRS.contains(form.opcode())) {
            boolean secondWide = form.is(Field.EXTENDED_2, word);
            int second = MemorySize.of(form.get(Field.SIZE_2, word)).bytes();
            int other = secondWide ? global(second) : low(false);
            word = form.set(Field.ADDRESS_2, other, word);
            word = place(form, Field.OFFSET_2, offset(second, LEAST_LOCAL_OFFSET), word);
            word = form.set(Field.DST_2, target(), word);
        }
        return word;
    }

    private long chosen(Form form, Field field, long word) {
        return form.has(field) && !form.isConstant(field)
                ? form.set(field, form.get(field, random.nextLong()), word)
                : word;
    }

    private static long place(Form form, Field field, int offset, long word) {
        int fitting = form.fits(field, offset) ? offset : 0;
        return form.fits(field, fitting) ? form.set(field, fitting, word) : word;
    }

    private static int bytes(Form form, long word) {
        return form.has(Field.ATOMIC_TYPE)
                ? AtomicType.of(form.get(Field.ATOMIC_TYPE, word)).bytes()
                : MemorySize.of(form.get(Field.SIZE, word)).bytes();
    }

    private int offset(int bytes, int least) {
        return least + random.nextInt(-2 * least + 1) & -bytes;
    }

    private int global(int bytes) {
        int[] fitting =
                switch (bytes) {
                    case 16 -> new int[] {Playground.GLOBAL_16, Playground.COMPUTED};
                    case 8 ->
                            new int[] {
                                Playground.GLOBAL_16, Playground.GLOBAL_8, Playground.COMPUTED
                            };
                    default ->
                            new int[] {
                                Playground.GLOBAL_16,
                                Playground.GLOBAL_8,
                                Playground.GLOBAL_4,
                                Playground.GLOBAL_4,
                                Playground.COMPUTED
                            };
                };
        return fitting[random.nextInt(fitting.length)];
    }

    private int low(boolean atomic) {
        int[] fitting = {Playground.LOW_GLOBAL, Playground.LOW_SHARED, Playground.LOW_LOCAL};
        return atomic ? Playground.LOW_GLOBAL : fitting[random.nextInt(fitting.length)];
    }

    private int shared(int bytes) {
        int[] fitting =
                bytes > Integer.BYTES
                        ? new int[] {Playground.SHARED_16, Playground.COMPUTED_SHARED}
                        : new int[] {
                            Playground.SHARED_16,
                            Playground.SHARED_4,
                            Playground.SHARED_4,
                            Playground.COMPUTED_SHARED
                        };
        return fitting[random.nextInt(fitting.length)];
    }
}
