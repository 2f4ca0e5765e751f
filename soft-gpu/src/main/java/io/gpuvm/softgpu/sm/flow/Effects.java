package io.gpuvm.softgpu.sm.flow;

import io.gpuvm.gf100.isa.AtomicOp;
import io.gpuvm.gf100.isa.AtomicType;
import io.gpuvm.gf100.isa.BarrierOp;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.NumberType;
import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;

/// Effects of an instruction, including its guard, on the values of a thread that reaches it.
///
/// @param reads values that may decide whether the instruction executes, or which values it writes
/// @param writes values that the instruction may change
/// @param kills values that the instruction replaces, independently of the former values, in every
///   thread that reaches it; a subset of `writes`
public record Effects(ThreadValues reads, ThreadValues writes, ThreadValues kills) {
    /// [Instruction#condition] that is false in every thread.
    private static final int NEVER = 0;

    /// [Instruction#mode] of a move in all lanes.
    private static final int ALL_OF_A_QUAD = 0xf;

    /// [Instruction#mode] of the minimum or maximum of the highest of several words.
    private static final int HIGHEST_WORD = 3;

    private static final Effects NOTHING =
            new Effects(ThreadValues.NONE, ThreadValues.NONE, ThreadValues.NONE);

    public static Effects of(Instruction i) {
        if (isNever(i)) {
            return NOTHING;
        }
        ThreadValues reads = new ThreadValues(0, predicate(i.guard), conditionsOfTest(i.condition));
        if (i.error != null) {
            return new Effects(reads, ThreadValues.NONE, ThreadValues.NONE);
        }
        ThreadValues writes = written(i);
        ThreadValues kills = isAlways(i) ? killed(i, writes) : ThreadValues.NONE;
        return new Effects(reads.or(read(i)), writes, kills);
    }

    /// Returns values that may decide the written values in a thread whose guard is true.
    static ThreadValues readsIfExecuted(Instruction i) {
        return isNever(i) || i.error != null ? ThreadValues.NONE : read(i);
    }

    /// Returns values that the instruction replaces, independently of the former values, in every
    /// thread whose guard is true.
    static ThreadValues killsIfExecuted(Instruction i) {
        return isNever(i) || i.error != null ? ThreadValues.NONE : killed(i, written(i));
    }

    /// Returns whether every thread that reaches the instruction executes it.
    public static boolean isAlways(Instruction i) {
        return i.guard == Instruction.TRUE_PREDICATE
                && i.guardFlip == 0
                && i.condition == Instruction.ALWAYS;
    }

    /// Returns whether no thread ever executes the instruction.
    public static boolean isNever(Instruction i) {
        boolean byGuard = i.guard == Instruction.TRUE_PREDICATE && i.guardFlip != 0;
        return byGuard || i.condition == NEVER;
    }

    /// Returns the bits of the condition code that decide a test.
    ///
    /// @param code ordinal of [io.gpuvm.gf100.isa.ConditionCode]
    public static int conditionsOfTest(int code) {
        final int z = ThreadValues.ZERO;
        final int s = ThreadValues.SIGN;
        final int c = ThreadValues.CARRY;
        final int o = ThreadValues.OVERFLOW;
        return switch (code) {
            case 1, 3, 4, 11, 12, 14 -> z | s | o;
            case 2, 7, 8, 13 -> z | s;
            case 5, 10 -> z;
            case 6, 9 -> s | o;
            case 16, 23 -> o;
            case 17, 22 -> c;
            case 18, 21 -> s;
            case 19, 20 -> z | c;
            default -> 0;
        };
    }

    private static ThreadValues read(Instruction i) {
        return switch (i.opcode) {
            case LD_LDU, LDS_LDU -> read(i.first).or(read(i.second));
            case CCTL, CCTLL -> ThreadValues.NONE;
            default -> new ThreadValues(registersRead(i), predicatesRead(i), conditionsRead(i));
        };
    }

    private static long registersRead(Instruction i) {
        int words = sourceWords(i);
        int data = dataWords(i);
        long a = registers(i.a, i.isExtended ? 2 : words);
        long b = registers(i.b, words);
        long c = registers(i.c, words);
        return switch (i.opcode) {
            case LOP, LOP32I -> i.mode == LogicOp.PASS_B.ordinal() ? b : a | b;
            case ATOM ->
                    i.mode == AtomicOp.CAS.ordinal()
                            ? a | registers(i.data, data) | registers(i.swap, data)
                            : a | registers(i.data, data);
            case BAR -> operand(i, Field.BARRIER_REGISTER) | operand(i, Field.THREADS_REGISTER);
            default -> a | b | c | registers(i.data, data);
        };
    }

    private static long operand(Instruction i, Field register) {
        return registers(Rows.source(i.field(register, Rows.ZERO_REGISTER)), 1);
    }

    private static int predicatesRead(Instruction i) {
        int read = predicate(i.psrc);
        return switch (i.opcode) {
            case PSET, PSETP ->
                    read
                            | predicate(i.field(Field.PSRC_A, Instruction.TRUE_PREDICATE))
                            | predicate(i.field(Field.PSRC_B, Instruction.TRUE_PREDICATE));
            case P2R -> i.is(Field.FLAGS_HIGH) ? 0 : named(i, ThreadValues.ALL_PREDICATES);
            default -> read;
        };
    }

    private static int conditionsRead(Instruction i) {
        return switch (i.opcode) {
            case IADD, IADD32I, ISCADD, ISCADD32I, IMAD, IMAD32I, ISAD ->
                    i.carryIn ? ThreadValues.CARRY : 0;
            case ISET, ISETP -> i.carryIn ? ThreadValues.CARRY | ThreadValues.ZERO : 0;
            case IMNMX ->
                    i.mode == 0 || i.mode == HIGHEST_WORD
                            ? 0
                            : ThreadValues.ZERO | ThreadValues.SIGN;
            case CSET, CSETP -> conditionsOfTest(i.mode);
            case P2R -> i.is(Field.FLAGS_HIGH) ? named(i, ThreadValues.ALL_CONDITIONS) : 0;
            default -> 0;
        };
    }

    private static ThreadValues written(Instruction i) {
        return switch (i.opcode) {
            case LD_LDU, LDS_LDU -> written(i.first).or(written(i.second));
            case CCTL, CCTLL -> ThreadValues.NONE;
            case BAR ->
                    i.field(Field.BARRIER_OP, 0) == BarrierOp.ARRIVE.code()
                            ? ThreadValues.NONE
                            : results(i);
            case R2P ->
                    i.is(Field.FLAGS_HIGH)
                            ? new ThreadValues(0, 0, named(i, ThreadValues.ALL_CONDITIONS))
                            : new ThreadValues(0, named(i, ThreadValues.ALL_PREDICATES), 0);
            case MOV, MOV32I -> i.mode == 0 ? ThreadValues.NONE : results(i);
            default -> results(i);
        };
    }

    private static ThreadValues results(Instruction i) {
        return new ThreadValues(
                registers(i.result, resultWords(i)),
                predicate(i.pdst) | predicate(i.pdst2),
                i.setsConditions ? ThreadValues.ALL_CONDITIONS : 0);
    }

    private static ThreadValues killed(Instruction i, ThreadValues written) {
        return switch (i.opcode) {
            case MOV, MOV32I -> i.mode == ALL_OF_A_QUAD ? written : ThreadValues.NONE;
            case R2P -> i.kindB == OperandKind.IMMEDIATE ? written : ThreadValues.NONE;
            default -> written;
        };
    }

    /// Returns the flags that the second operand selects; all flags unless the operand is an
    /// immediate.
    private static int named(Instruction i, int all) {
        return i.kindB == OperandKind.IMMEDIATE ? i.immediate & all : all;
    }

    private static int sourceWords(Instruction i) {
        return switch (i.opcode) {
            case DADD, DMUL, DFMA, DMNMX, DSET, DSETP -> 2;
            case F2F, F2I, I2F, I2I -> wordsOf(i.mode2);
            default -> 1;
        };
    }

    private static int resultWords(Instruction i) {
        return switch (i.opcode) {
            case DADD, DMUL, DFMA, DMNMX -> 2;
            case F2F, F2I, I2F, I2I -> wordsOf(i.mode);
            case TLD -> Integer.bitCount(i.mode);
            default -> dataWords(i);
        };
    }

    private static int wordsOf(int numberType) {
        return words(NumberType.of(numberType).bytes());
    }

    /// Returns the number of words that a memory instruction moves; 1 for other instructions.
    private static int dataWords(Instruction i) {
        return switch (i.opcode) {
            case LD, LDU, LDL, LDS, LDC, LDSLK, ST, STL, STS, STSUL ->
                    words(MemorySize.of(i.mode).bytes());
            case ATOM, RED -> words(AtomicType.of(i.mode2).bytes());
            default -> 1;
        };
    }

    private static int words(int bytes) {
        return Math.max(1, bytes / Integer.BYTES);
    }

    /// Returns the registers that start at a row; none for the row of zeros or for a sink.
    private static long registers(int row, int words) {
        return row >= Rows.ZERO ? 0 : (1L << words) - 1 << Rows.register(row);
    }

    private static int predicate(int number) {
        return 1 << number & ThreadValues.ALL_PREDICATES;
    }
}
