package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import io.gpuvm.softgpu.sm.flow.Effects;
import io.gpuvm.softgpu.sm.flow.ThreadValues;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Compares the declared reads and writes of an instruction with its execution. Each form of the
/// table is executed twice, with random fields and on random values. The second time, all values
/// outside the declared reads are different, which must not change the result.
class EffectsTest {
    private static final int REGISTERS = 63;
    private static final int PREDICATES = 7;
    private static final int CONDITIONS = 4;
    private static final int TRIES = 10;

    /// First of the registers that are reserved for the code after the instruction.
    private static final int FIRST_FREE = 56;

    private static final int LOADED = FIRST_FREE;
    private static final int LANE_ADDRESS = 60;
    private static final ThreadValues FREE =
            new ThreadValues(ThreadValues.ALL_REGISTERS & -1L << FIRST_FREE, 0, 0);
    private static final int LANE_BYTES = 16;
    private static final int EXITS = 4;
    private static final int DATA_WORDS = Rows.LANES * LANE_BYTES / Integer.BYTES;

    private static final int[] SPECIAL = {
        0, 1, -1, 31, 32, 33, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x7f80_0000, 0xffc0_1234
    };

    /// Values of a warp: registers, predicates and conditions; each lane's bit is in a separate
    /// number.
    private record Values(int[][] registers, int[][] predicates, int[][] conditions) {
        static Values random(Random random) {
            return new Values(
                    words(random, REGISTERS), bits(random, PREDICATES), bits(random, CONDITIONS));
        }

        private static int[][] words(Random random, int count) {
            int[][] words = new int[count][Rows.LANES];
            for (int[] row : words) {
                boolean special = random.nextInt(3) == 0;
                for (int l = 0; l < row.length; l++) {
                    row[l] =
                            special
                                    ? SPECIAL[random.nextInt(SPECIAL.length)]
                                    : random.nextInt() >> random.nextInt(Integer.SIZE);
                }
            }
            return words;
        }

        private static int[][] bits(Random random, int count) {
            int[][] bits = new int[count][Rows.LANES];
            for (int[] row : bits) {
                int kind = random.nextInt(3);
                for (int l = 0; l < row.length; l++) {
                    row[l] = kind == 2 ? random.nextInt(2) : kind;
                }
            }
            return bits;
        }

        static Values of(Warp warp) {
            int[][] registers = new int[REGISTERS][Rows.LANES];
            for (int n = 0; n < REGISTERS; n++) {
                System.arraycopy(warp.registers, Rows.source(n), registers[n], 0, Rows.LANES);
            }
            int[][] predicates = new int[PREDICATES][];
            for (int n = 0; n < PREDICATES; n++) {
                predicates[n] = lanes(warp.predicates[n]);
            }
            int[][] conditions = {
                lanes(warp.zero), lanes(warp.sign), lanes(warp.carry), lanes(warp.overflow)
            };
            return new Values(registers, predicates, conditions);
        }

        private static int[] lanes(int bits) {
            int[] lanes = new int[Rows.LANES];
            for (int l = 0; l < lanes.length; l++) {
                lanes[l] = bits >>> l & 1;
            }
            return lanes;
        }

        private static int bits(int[] lanes) {
            int bits = 0;
            for (int l = 0; l < lanes.length; l++) {
                bits |= lanes[l] << l;
            }
            return bits;
        }

        void putInto(Warp warp) {
            for (int n = 0; n < REGISTERS; n++) {
                System.arraycopy(registers[n], 0, warp.registers, Rows.source(n), Rows.LANES);
            }
            for (int n = 0; n < PREDICATES; n++) {
                warp.predicates[n] = bits(predicates[n]);
            }
            warp.zero = bits(conditions[0]);
            warp.sign = bits(conditions[1]);
            warp.carry = bits(conditions[2]);
            warp.overflow = bits(conditions[3]);
        }

        /// Returns a copy in which all values outside a set are those of another object.
        Values with(Values other, ThreadValues kept) {
            Values mixed = new Values(registers.clone(), predicates.clone(), conditions.clone());
            for (int n = 0; n < REGISTERS; n++) {
                if (!kept.hasRegister(n)) {
                    mixed.registers[n] = other.registers[n];
                }
            }
            for (int n = 0; n < PREDICATES; n++) {
                if (!kept.hasPredicate(n)) {
                    mixed.predicates[n] = other.predicates[n];
                }
            }
            for (int n = 0; n < CONDITIONS; n++) {
                if ((kept.conditions() >>> n & 1) == 0) {
                    mixed.conditions[n] = other.conditions[n];
                }
            }
            return mixed;
        }
    }

    /// Observable results of a run.
    private record Seen(Outcome outcome, String trap, Values values, int[] data) {}

    private final long seed = ThreadLocalRandom.current().nextLong();
    private final Random random = new Random(seed);
    private final TestSm sm = new TestSm();
    private final int[] constants = new int[16384];
    private final int[] data = new int[DATA_WORDS];

    @AfterEach
    void close() {
        sm.close();
    }

    @Test
    void givenEveryForm_whenRun_thenReadsAndWritesMatchEffects() {
        for (int n = 0; n < constants.length; n++) {
            constants[n] = random.nextInt();
        }
        sm.constants(0, constants);
        Set<Opcode> done = new HashSet<>();
        for (Form form : InstructionTable.forms()) {
            for (int n = 0; n < TRIES; n++) {
                Instruction i = instruction(form);
                if (i != null && check(i) == Outcome.BLOCK_DONE) {
                    done.add(i.opcode);
                }
            }
        }
        Set<Opcode> never = EnumSet.allOf(Opcode.class);
        never.removeAll(done);
        // Instructions that always or mostly end in a trap.
        never.removeAll(EnumSet.of(Opcode.LDLK, Opcode.STUL, Opcode.RTT, Opcode.BPT));
        never.removeAll(EnumSet.of(Opcode.RET, Opcode.BRK, Opcode.CONT, Opcode.LONGJMP));
        assertEquals(Set.of(), never, "seed=" + seed);
    }

    private Instruction instruction(Form form) {
        for (int n = 0; n < 20; n++) {
            long word = form.template();
            for (Field field : form.fields()) {
                if (!form.isConstant(field)) {
                    word = form.set(field, number(form, field), word);
                }
            }
            if (form.accepts(word) && InstructionTable.find(word) == form) {
                Instruction i = Decoder.decode(word, 0, REGISTERS);
                if (i.error == null) {
                    return i;
                }
            }
        }
        return null;
    }

    private int number(Form form, Field field) {
        int value =
                switch (field) {
                    case DST, DST_2, ADDRESS_2, SRC_A, SRC_B, SRC_C, DATA, SWAP ->
                            random.nextInt(8) == 0 ? 63 : random.nextInt(FIRST_FREE) & -4;
                    case TARGET -> Long.BYTES * (1 + random.nextInt(3)) - (form.relative() ? 8 : 0);
                    case OFFSET, OFFSET_2, B_OFFSET, C_OFFSET -> random.nextInt(64) & -16;
                    case B_BANK, C_BANK, BARRIER, THREADS, JOIN -> 0;
                    case PREDICATE -> random.nextBoolean() ? 7 : random.nextInt(8);
                    case PREDICATE_NOT -> random.nextInt(4) == 0 ? 1 : 0;
                    default -> form.get(field, random.nextLong());
                };
        return form.fits(field, value) ? value : form.get(field, random.nextLong());
    }

    private Outcome check(Instruction i) {
        Effects effects = Effects.of(i);
        Supplier<String> which = () -> "seed=%d, %s 0x%x".formatted(seed, i.opcode, i.word);
        for (int n = 0; n < data.length; n++) {
            data[n] = random.nextInt();
        }
        Values one = Values.random(random);
        addresses(i, one);
        for (int l = 0; l < Rows.LANES; l++) {
            one.registers[LANE_ADDRESS][l] = i.opcode == Opcode.STL ? 0 : l * LANE_BYTES;
        }
        if (i.opcode == Opcode.ATOM && i.data < Rows.ZERO) {
            // Makes comparisons succeed in some lanes.
            for (int l = random.nextInt(2); l < Rows.LANES; l += 2) {
                for (int word = 0; word < 2; word++) {
                    data[l * LANE_BYTES / Integer.BYTES + word] =
                            one.registers[Rows.register(i.data) + word][l];
                }
            }
        }
        Values other = one.with(Values.random(random), effects.reads().or(FREE));
        Seen seen = run(i, one);
        Seen again = run(i, other);
        assertEquals(seen.outcome, again.outcome, which);
        assertEquals(seen.trap, again.trap, which);
        assertArrayEquals(seen.data, again.data, which);
        for (int n = LOADED; n < LANE_ADDRESS; n++) {
            assertArrayEquals(seen.values.registers[n], again.values.registers[n], which);
        }
        assertEquals(ThreadValues.NONE, effects.kills().minus(effects.writes()), which);
        if (seen.outcome == Outcome.BLOCK_DONE) {
            compare(which, effects, one, seen.values, other, again.values);
        }
        return seen.outcome;
    }

    private static void compare(
            Supplier<String> which,
            Effects effects,
            Values a,
            Values aAfter,
            Values b,
            Values bAfter) {
        ThreadValues writes = effects.writes();
        ThreadValues kills = effects.kills();
        for (int n = 0; n < FIRST_FREE; n++) {
            int register = n;
            compare(
                    () -> which.get() + ", register=" + register,
                    writes.hasRegister(n),
                    kills.hasRegister(n),
                    a.registers[n],
                    aAfter.registers[n],
                    b.registers[n],
                    bAfter.registers[n]);
        }
        for (int n = 0; n < PREDICATES; n++) {
            int predicate = n;
            compare(
                    () -> which.get() + ", predicate=" + predicate,
                    writes.hasPredicate(n),
                    kills.hasPredicate(n),
                    a.predicates[n],
                    aAfter.predicates[n],
                    b.predicates[n],
                    bAfter.predicates[n]);
        }
        for (int n = 0; n < CONDITIONS; n++) {
            int condition = n;
            compare(
                    () -> which.get() + ", condition=" + condition,
                    (writes.conditions() >>> n & 1) != 0,
                    (kills.conditions() >>> n & 1) != 0,
                    a.conditions[n],
                    aAfter.conditions[n],
                    b.conditions[n],
                    bAfter.conditions[n]);
        }
    }

    private static void compare(
            Supplier<String> which,
            boolean written,
            boolean killed,
            int[] a,
            int[] aAfter,
            int[] b,
            int[] bAfter) {
        for (int l = 0; l < Rows.LANES; l++) {
            boolean kept = a[l] == aAfter[l] && b[l] == bAfter[l];
            boolean same = aAfter[l] == bAfter[l];
            boolean right = killed ? same : written && same || kept;
            int lane = l;
            assertTrue(right, () -> which.get() + ", lane=" + lane);
        }
    }

    private Seen run(Instruction i, Values values) {
        Code code = new Code().add(i.word);
        switch (i.opcode) {
            case STS, STSUL -> loadBack(code, Opcode.LDS);
            case STL -> loadBack(code, Opcode.LDL);
            default -> {}
        }
        for (int n = 0; n < EXITS; n++) {
            code.exit();
        }
        sm.unset().code(code).load().begin(0);
        for (int n = 0; n < data.length; n++) {
            sm.setWord(n * Integer.BYTES, data[n]);
        }
        Warp warp = sm.sm.block().warp(0);
        values.putInto(warp);
        Outcome outcome = sm.finish();
        String trap = outcome == Outcome.TRAPPED ? sm.sm.trap().toString() : "";
        int[] after = new int[DATA_WORDS];
        for (int n = 0; n < after.length; n++) {
            after[n] = sm.word(n * Integer.BYTES);
        }
        Seen seen = new Seen(outcome, trap, Values.of(warp), after);
        sm.sm.abandon();
        return seen;
    }

    /// Loads stored data that only load instructions can read.
    private static void loadBack(Code code, Opcode load) {
        code.add(
                load,
                Field.DST,
                LOADED,
                Field.SRC_A,
                LANE_ADDRESS,
                Field.SIZE,
                MemorySize.B128.ordinal());
    }

    /// Sets the instruction's addresses, usually to valid addresses.
    private void addresses(Instruction i, Values values) {
        if (i.first != null) {
            addresses(i.first, values);
            addresses(i.second, values);
            return;
        }
        int bytes = random.nextInt(8) == 0 ? 0 : LANE_BYTES;
        switch (i.opcode) {
            case LD, LDU, ST, ATOM, RED -> {
                long base = i.isExtended ? TestSm.DATA : TestSm.SHARED_WINDOW & 0xffff_ffffL;
                put(values, i.a, base - i.offset, bytes);
                if (i.isExtended && i.a < Rows.ZERO) {
                    int[] upper = values.registers[Rows.register(i.a) + 1];
                    Arrays.fill(upper, (int) (base - i.offset >>> Integer.SIZE));
                }
            }
            case LDS, STS, LDSLK, STSUL, LDC -> put(values, i.a, -i.offset, bytes);
            case LDL, STL -> put(values, i.a, -i.offset, 0);
            case BAR -> {
                put(values, Rows.source(i.field(Field.BARRIER_REGISTER, 63)), 0, 0);
                put(values, Rows.source(i.field(Field.THREADS_REGISTER, 63)), Rows.LANES, 0);
            }
            case BRX, JMX -> put(values, i.a, 0, 0);
            default -> {}
        }
    }

    private static void put(Values values, int row, long base, int step) {
        if (row < Rows.ZERO) {
            int[] register = values.registers[Rows.register(row)];
            for (int l = 0; l < register.length; l++) {
                register[l] = (int) (base + (long) l * step);
            }
        }
    }
}
