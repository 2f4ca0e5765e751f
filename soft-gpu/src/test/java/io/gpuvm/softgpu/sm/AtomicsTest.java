package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.isa.AtomicOp;
import io.gpuvm.gf100.isa.AtomicType;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Atomic operations of whole warps on shared or separate words, compared with lane-by-lane
/// operations.
class AtomicsTest {
    private static final int LANES = 32;
    private static final int TRIALS = 1000;
    private static final int BYTES = 2 * 4096;
    private static final int START = 4096 - 128;

    private final TestSm sm = new TestSm();
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final RandomLanes lanes = new RandomLanes(random);
    private final int[] model = new int[BYTES / 4];

    @AfterEach
    void close() {
        sm.close();
    }

    @Test
    void givenSharedWords_whenChanged_thenResultEqualsLaneByLaneExecution() {
        for (int trial = 0; trial < TRIALS; trial++) {
            AtomicOp op = AtomicOp.values()[random.nextInt(AtomicOp.values().length)];
            boolean isOrdered = op == AtomicOp.MIN || op == AtomicOp.MAX;
            AtomicType type = isOrdered && random.nextBoolean() ? AtomicType.S32 : AtomicType.U32;
            check(op, type, "seed=%d trial=%d %s %s".formatted(seed, trial, op, type));
        }
    }

    @Test
    void givenFloats_whenAdded_thenResultEqualsLaneByLaneExecution() {
        for (int trial = 0; trial < TRIALS / 4; trial++) {
            check(AtomicOp.ADD, AtomicType.F32, "seed=%d trial=%d".formatted(seed, trial));
        }
    }

    private void check(AtomicOp op, AtomicType type, String what) {
        boolean wantsOld = op == AtomicOp.CAS || op == AtomicOp.EXCH || random.nextBoolean();
        int mask = lanes.mask();
        int[] at = lanes.addresses(4, 256, 16);
        int[] low = new int[LANES];
        int[] data = new int[LANES];
        int[] swap = new int[LANES];
        for (int l = 0; l < LANES; l++) {
            at[l] += START;
            low[l] = (int) TestSm.DATA + at[l];
            model[at[l] / 4] = value(type);
            data[l] = op == AtomicOp.CAS && random.nextBoolean() ? model[at[l] / 4] : value(type);
            swap[l] = value(type);
        }
        for (int l = 0; l < LANES; l++) {
            sm.setWord(at[l], model[at[l] / 4]);
        }
        int[] before = random.ints(LANES).toArray();
        sm.unset().set(2, low).set(3, (int) (TestSm.DATA >>> 32)).set(4, data).set(5, swap);
        sm.setPredicate(0, mask).set(8, before).code(code(op, type, wantsOld)).run();
        int[] found = sm.register(8);
        for (int l = 0; l < LANES; l++) {
            int old = before[l];
            if ((mask >>> l & 1) != 0) {
                int word = model[at[l] / 4];
                model[at[l] / 4] = after(op, type, word, data[l], swap[l]);
                old = wantsOld ? word : before[l];
            }
            assertEquals(old, found[l], what + " lane=" + l);
        }
        for (int l = 0; l < LANES; l++) {
            assertEquals(model[at[l] / 4], sm.word(at[l]), what + " lane=" + l);
        }
    }

    private static Code code(AtomicOp op, AtomicType type, boolean wantsOld) {
        Code code = new Code().when(0);
        Object[] fields = {
            Field.EXTENDED, 1,
            Field.SRC_A, 2,
            Field.DATA, 4,
            Field.ATOMIC, op.ordinal(),
            Field.ATOMIC_TYPE, type.code(),
        };
        if (op == AtomicOp.CAS) {
            code.add(Opcode.ATOM, with(fields, Field.DST, 8, Field.SWAP, 5));
        } else if (wantsOld) {
            code.add(Opcode.ATOM, with(fields, Field.DST, 8));
        } else {
            code.add(Opcode.RED, fields);
        }
        return code.exit();
    }

    private static Object[] with(Object[] fields, Object... more) {
        Object[] all = new Object[fields.length + more.length];
        System.arraycopy(fields, 0, all, 0, fields.length);
        System.arraycopy(more, 0, all, fields.length, more.length);
        return all;
    }

    /// Returns a random value; sums of such floats are exact.
    private int value(AtomicType type) {
        if (type == AtomicType.F32) {
            return Float.floatToRawIntBits(random.nextInt(2000) - 1000);
        }
        return random.nextBoolean() ? random.nextInt() : random.nextInt(8);
    }

    /// Returns the word after an operation (PTX manual, `atom`).
    private static int after(AtomicOp op, AtomicType type, int old, int data, int swap) {
        boolean isSigned = type == AtomicType.S32;
        int order = isSigned ? Integer.compare(old, data) : Integer.compareUnsigned(old, data);
        boolean isAbove = Integer.compareUnsigned(old, data) > 0;
        return switch (op) {
            case ADD -> type == AtomicType.F32 ? sum(old, data) : old + data;
            case MIN -> order < 0 ? old : data;
            case MAX -> order > 0 ? old : data;
            case INC -> isAbove || old == data ? 0 : old + 1;
            case DEC -> old == 0 || isAbove ? data : old - 1;
            case AND -> old & data;
            case OR -> old | data;
            case XOR -> old ^ data;
            case EXCH -> data;
            case CAS -> old == data ? swap : old;
        };
    }

    private static int sum(int a, int b) {
        return Float.floatToRawIntBits(Float.intBitsToFloat(a) + Float.intBitsToFloat(b));
    }
}
