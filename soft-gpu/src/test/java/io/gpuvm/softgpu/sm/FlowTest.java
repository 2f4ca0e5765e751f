package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.softgpu.sm.code.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares the analysis of random kernels with their execution: successors of blocks, uniform
/// values, and dead values that are never used.
class FlowTest {
    private static final int KERNELS = 80;
    private static final int MOST_INSTRUCTIONS = 800;
    private static final int ADDRESS = 20;
    private static final int REGISTERS = 24;
    private static final int NUMBER = 23;
    private static final int CONSTANTS = 16;
    private static final int LANE_BYTES = Integer.BYTES;

    /// Observable results of a kernel's run.
    private record Seen(Outcome outcome, String trap, int executed, List<Integer> memory) {}

    private final FlowChecker checker = new FlowChecker();
    private final Kernels kernels =
            new Kernels(ExecutionMode.COMPILED, checker, Kernels.RECENT_INSTRUCTIONS);
    private final TestSm sm = new TestSm(0, kernels);
    private int ended;

    @AfterEach
    void close() {
        sm.close();
        kernels.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givenRandomKernels_whenRun_thenExecutionMatchesAnalysis(boolean isWild) {
        long first = ThreadLocalRandom.current().nextLong();
        for (long seed = first; seed < first + KERNELS; seed++) {
            // All kernels are different, so each is passed to the checker.
            String text =
                    "MOV32I R%d, 0x%x\n".formatted(NUMBER, (int) (seed - first))
                            + new RandomFlow(new Random(seed), isWild).text();
            try {
                describe(text, new Random(seed));
                Seen seen = run(null);
                Seen again = run(new Random(seed));
                assertEquals(seen, again);
                ended += seen.outcome == Outcome.BLOCK_DONE ? 1 : 0;
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed=" + seed + "\n" + text, e);
            }
        }
        assertTrue(checker.uniformValues() > 0, "seed=" + first);
        // On average, a third of the kernels end; most others run until they are stopped.
        assertTrue(ended > KERNELS / 10, "seed=" + first + ", ended=" + ended);
    }

    private void describe(String text, Random random) {
        int[] constants = new int[CONSTANTS];
        for (int n = 0; n < constants.length; n++) {
            constants[n] = random.nextInt(4);
        }
        sm.unset().constants(0, constants).code(text);
        for (int number = 0; number < REGISTERS; number++) {
            int[] values = new int[Rows.LANES];
            boolean isUniform = random.nextBoolean();
            for (int l = 0; l < values.length; l++) {
                values[l] = isUniform && l > 0 ? values[0] : random.nextInt(4);
            }
            sm.set(number, values);
        }
        long[] addresses = new long[Rows.LANES];
        for (int l = 0; l < addresses.length; l++) {
            addresses[l] = TestSm.DATA + (long) l * LANE_BYTES;
        }
        sm.setWide(ADDRESS, addresses);
        for (int number = 0; number < Warp.TRUE_PREDICATE; number++) {
            sm.setPredicate(number, random.nextInt());
        }
    }

    private Seen run(Random changes) {
        for (int l = 0; l < Rows.LANES; l++) {
            sm.setWord(l * LANE_BYTES, 0);
        }
        checker.start(changes);
        sm.load().begin(0);
        Outcome outcome = sm.sm.run(_ -> checker.executed() > MOST_INSTRUCTIONS);
        String trap = outcome == Outcome.TRAPPED ? sm.sm.trap().toString() : "";
        List<Integer> memory = new ArrayList<>();
        for (int l = 0; l < Rows.LANES; l++) {
            memory.add(sm.word(l * LANE_BYTES));
        }
        sm.sm.abandon();
        return new Seen(outcome, trap, checker.executed(), memory);
    }
}
