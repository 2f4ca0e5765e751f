package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Random code: each kernel ends, traps or stops at a safepoint, and the next kernel runs.
@Tag("soak")
class KernelFuzzTest {
    private static final int KERNELS = 600;
    private static final int WORDS = 48;
    private static final int WARP_INSTRUCTIONS = 2000;
    private static final int CODE_BYTES = WORDS * Long.BYTES;
    private static final List<Form> FORMS = InstructionTable.forms();

    /// Instructions that usually trap with random fields, and are therefore rare.
    private static final Set<Opcode> RISKY =
            EnumSet.of(
                    Opcode.LD,
                    Opcode.LDU,
                    Opcode.LD_LDU,
                    Opcode.LDS_LDU,
                    Opcode.LDL,
                    Opcode.LDS,
                    Opcode.LDC,
                    Opcode.LDLK,
                    Opcode.LDSLK,
                    Opcode.LD_LDU,
                    Opcode.LDS_LDU,
                    Opcode.ST,
                    Opcode.STL,
                    Opcode.STS,
                    Opcode.STUL,
                    Opcode.STSUL,
                    Opcode.ATOM,
                    Opcode.RED,
                    Opcode.BRX,
                    Opcode.JMP,
                    Opcode.JMX,
                    Opcode.JCAL,
                    Opcode.BRK,
                    Opcode.CONT,
                    Opcode.RET,
                    Opcode.LONGJMP,
                    Opcode.RTT,
                    Opcode.BPT,
                    Opcode.BAR);

    private final TestSm sm = new TestSm();

    @AfterEach
    void close() {
        sm.close();
    }

    @Test
    void givenRandomKernels_whenRun_thenNextKernelSetsRegister() {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        int[] outcomes = new int[Outcome.values().length];
        for (int i = 0; i < KERNELS; i++) {
            int number = i;
            Outcome outcome = run(random, () -> "seed=%d, kernel=%d".formatted(seed, number));
            outcomes[outcome.ordinal()]++;
        }
        for (Outcome outcome : Outcome.values()) {
            assertTrue(outcomes[outcome.ordinal()] > 0, outcome + ", seed=" + seed);
        }
        checkNextKernel("seed=" + seed);
    }

    private Outcome run(Random random, Supplier<String> which) {
        try {
            describe(random);
            sm.load().begin(0);
            int[] left = {WARP_INSTRUCTIONS};
            Outcome outcome = sm.sm.run(executed -> (left[0] -= executed) < 0);
            if (outcome == Outcome.TRAPPED) {
                assertNotNull(sm.sm.trap().toString(), which);
            }
            assertNotNull(sm.sm.position().toString(), which);
            sm.sm.abandon();
            return outcome;
        } catch (RuntimeException | Error e) {
            throw new AssertionError(which.get(), e);
        }
    }

    private void describe(Random random) {
        int registers = 4 + random.nextInt(60);
        sm.unset()
                .code(code(random, registers))
                .registers(registers)
                .block(1 + random.nextInt(80), 1 + random.nextInt(3), 1)
                .sharedBytes(random.nextInt(4096) & -4)
                .callStackBytes(random.nextInt(1024) & -16);
        for (int register = 0; register < registers; register++) {
            sm.set(register, value(random));
        }
    }

    /// Returns small numbers, parts of valid addresses, or other numbers.
    private static int[] value(Random random) {
        int[] values = new int[Rows.LANES];
        int base =
                switch (random.nextInt(5)) {
                    case 0 -> (int) TestSm.DATA;
                    case 1 -> (int) (TestSm.DATA >>> Integer.SIZE);
                    case 2 -> random.nextInt(256);
                    case 3 -> TestSm.SHARED_WINDOW;
                    default -> random.nextInt();
                };
        int step = random.nextBoolean() ? 4 : random.nextInt(64);
        for (int l = 0; l < values.length; l++) {
            values[l] = base + l * step;
        }
        return values;
    }

    private static long[] code(Random random, int registers) {
        long[] words = new long[WORDS];
        for (int i = 0; i < words.length - 1; i++) {
            words[i] = random.nextInt(500) == 0 ? random.nextLong() : word(random, registers);
        }
        words[words.length - 1] = Code.word(Opcode.EXIT);
        return words;
    }

    /// Returns an instruction with registers that usually exist and branch targets that are usually
    /// inside the code.
    private static long word(Random random, int registers) {
        while (true) {
            Form form = FORMS.get(random.nextInt(FORMS.size()));
            if (RISKY.contains(form.opcode()) && random.nextInt(20) != 0) {
                continue;
            }
            long word = form.template();
            for (Field field : form.fields()) {
                if (!form.isConstant(field)) {
                    word = form.set(field, number(random, form, field, registers), word);
                }
            }
            if (form.accepts(word)) {
                return word;
            }
        }
    }

    private static int number(Random random, Form form, Field field, int registers) {
        int value =
                switch (field) {
                    case DST, SRC_A, SRC_B, SRC_C, DATA, SWAP ->
                            random.nextInt(8) == 0 ? 63 : random.nextInt(registers) & -4;
                    case TARGET -> random.nextInt(CODE_BYTES) - CODE_BYTES / 2 & -Long.BYTES;
                    case OFFSET -> random.nextInt(64) & -4;
                    case CONDITION -> 15;
                    case B_BANK, C_BANK, B_OFFSET, C_OFFSET, JOIN -> 0;
                    case PREDICATE -> random.nextBoolean() ? 7 : random.nextInt(8);
                    default -> form.get(field, random.nextLong());
                };
        return form.fits(field, value) ? value : form.get(field, random.nextLong());
    }

    private void checkNextKernel(String seed) {
        try (TestSm next = new TestSm()) {
            next.code(new Code().load(1, 42).exit()).run();
            assertEquals(42, next.register(1)[0], seed);
        }
        sm.unset().registers(63).block(Rows.LANES, 1, 1).callStackBytes(0);
        sm.code(new Code().load(1, 42).exit()).run();
        assertEquals(42, sm.register(1)[0], seed);
    }
}
