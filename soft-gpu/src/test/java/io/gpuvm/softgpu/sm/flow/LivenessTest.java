package io.gpuvm.softgpu.sm.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LivenessTest {
    private static final int REGISTERS = 63;

    /// Maximum number of changes at a point: the first visit, and one for each register, predicate
    /// and bit of the condition code that becomes live.
    private static final int MOST_CHANGES = 1 + REGISTERS + 7 + 4;

    private KernelCode kernel;
    private Liveness liveness;

    private void analyze(String... lines) {
        kernel = TestKernel.of(lines);
        liveness = Liveness.of(kernel, ThreadValues.NONE);
    }

    private ThreadValues after(int n) {
        int pc = n * Long.BYTES;
        for (BasicBlock block : kernel.blocks()) {
            if (block.start() <= pc && pc < block.end()) {
                return liveness.after(block, (pc - block.start()) / Long.BYTES);
            }
        }
        throw new AssertionError("instruction=" + n);
    }

    private static ThreadValues registers(int... numbers) {
        long bits = 0;
        for (int number : numbers) {
            bits |= 1L << number;
        }
        return new ThreadValues(bits, 0, 0);
    }

    @Test
    void givenStraightRun_whenAnalyzed_thenValuesAreLiveUntilLastRead() {
        analyze(
                "MOV R1, c[0x0][0x20]",
                "IADD R2, R1, R3",
                "IADD R1, R2, R2",
                "ST.E [R4], R1",
                "EXIT");
        assertEquals(registers(1, 3, 4, 5), after(0));
        assertEquals(registers(2, 4, 5), after(1));
        assertEquals(registers(1, 4, 5), after(2));
        assertEquals(ThreadValues.NONE, after(3));
    }

    @Test
    void givenGuardedWrite_whenAnalyzed_thenOldValueIsLive() {
        analyze("MOV R1, R2", "@P3 MOV R1, R4", "ST [R5], R1", "EXIT");
        assertEquals(registers(1, 4, 5).or(new ThreadValues(0, 1 << 3, 0)), after(0));
    }

    @Test
    void givenUseUnderGuardOfWrite_whenAnalyzed_thenOldValueIsDead() {
        analyze(
                "MOV R0, R2",
                "@P3 IADD R1.CC, R2, R4",
                "@P3 IADD.X R2, R1, RZ",
                "ST [R5], R2",
                "EXIT");
        assertEquals(0, after(0).conditions());
        assertFalse(after(0).hasRegister(1));
        assertTrue(after(1).hasRegister(1));
        assertEquals(ThreadValues.CARRY, after(1).conditions());
    }

    @Test
    void givenUseUnderOppositeGuard_whenAnalyzed_thenOldValueIsLive() {
        analyze("MOV R0, R2", "@P3 MOV R1, R4", "@!P3 MOV R2, R1", "ST [R5], R2", "EXIT");
        assertTrue(after(0).hasRegister(1));
    }

    @Test
    void givenGuardWrittenBetweenWriteAndUse_whenAnalyzed_thenOldValueIsLive() {
        analyze(
                "MOV R0, R2",
                "@P3 MOV R1, R4",
                "ISETP.LT.AND P3, PT, R4, R5, PT",
                "@P3 MOV R2, R1",
                "ST [R5], R2",
                "EXIT");
        assertTrue(after(0).hasRegister(1));
    }

    @Test
    void givenUnguardedUseAfterGuardedWrite_whenAnalyzed_thenOldValueIsLive() {
        analyze("MOV R0, R2", "@P3 MOV R1, R4", "@P3 MOV R2, R1", "ST [R5], R1", "EXIT");
        assertTrue(after(0).hasRegister(1));
    }

    @Test
    void givenCarries_whenAnalyzed_thenOnlyCarryIsLive() {
        analyze("IADD R0.CC, R1, R2", "IADD.X R3, R4, R5", "ST [R0], R3", "EXIT");
        assertEquals(ThreadValues.CARRY, after(0).conditions());
        assertEquals(0, after(1).conditions());
    }

    @Test
    void givenUnreadConditions_whenAnalyzed_thenConditionsAreDead() {
        analyze("IADD R0.CC, R1, R2", "IADD R0.CC, R0, R2", "ST [R0], R0", "EXIT");
        assertEquals(0, after(0).conditions());
    }

    @Test
    void givenLoop_whenAnalyzed_thenValuesReadInNextIterationAreLive() {
        analyze(
                "MOV R1, RZ",
                "loop:",
                "IADD R1, R1, R2",
                "ISETP.LT.AND P0, PT, R1, R3, PT",
                "@P0 BRA loop",
                "ST [R4], R1",
                "EXIT");
        assertEquals(registers(1, 2, 3, 4), after(0));
        assertEquals(registers(1, 2, 3, 4), after(3));
        assertEquals(1, after(2).predicates());
        assertFalse(after(3).hasPredicate(0));
    }

    @Test
    void givenExitWithValuesReadByTests_whenAnalyzed_thenAllValuesAreLive() {
        kernel = TestKernel.of("MOV R1, R2", "EXIT");
        liveness = Liveness.of(kernel, ThreadValues.ALL);
        assertEquals(ThreadValues.ALL, after(0));
        assertFalse(liveness.atStart(kernel.block(0)).hasRegister(1));
    }

    @Test
    void givenGuardedExitWithValuesReadByTests_whenAnalyzed_thenAllValuesAreLiveAtExit() {
        kernel = TestKernel.of("@P0 EXIT", "MOV R1, R2", "EXIT");
        liveness = Liveness.of(kernel, ThreadValues.ALL);
        assertTrue(liveness.atStart(kernel.block(0)).hasRegister(1));
    }

    @Test
    void givenComputedBranch_whenAnalyzed_thenAllValuesAreLive() {
        analyze("MOV R1, R2", "BRX R1, 0x0");
        assertEquals(ThreadValues.ALL, after(0));
    }

    @Test
    void givenDoubles_whenAnalyzed_thenUpperAndLowerWordsAreLive() {
        analyze("DADD R0, R2, R4", "ST.E.64 [R6], R0", "EXIT");
        assertEquals(registers(0, 1, 6, 7), after(0));
        assertEquals(registers(2, 3, 4, 5, 6, 7), liveness.atStart(kernel.block(0)));
    }

    @Test
    void givenFunctionCalledTwice_whenAnalyzed_thenValuesReadByCallersAreLive() {
        analyze(
                "CAL f",
                "ST [R1], R2",
                "CAL f",
                "ST [R1], R3",
                "EXIT",
                "f:",
                "IADD R1, R1, R4",
                "RET");
        assertEquals(registers(1, 2, 3, 4), after(0));
        assertTrue(after(5).hasRegister(3));
    }

    /// Many blocks lead to many other blocks, each of which inherits the reads of the next.
    @Test
    void givenManyEdgesBetweenBlocks_whenAnalyzed_thenStepsAreLinearInBlocks() {
        int targets = 200;
        List<String> lines = new ArrayList<>();
        lines.add("BRA start");
        lines.add("t0: EXIT");
        for (int n = 1; n < targets; n++) {
            lines.add("t%d: ISETP.EQ.AND P0, PT, RZ, R%d, PT".formatted(n, n % REGISTERS));
            lines.add("BRA t%d".formatted(n - 1));
        }
        lines.add("start:");
        for (int n = 0; n < targets; n++) {
            lines.add("SSY t%d".formatted(n));
            lines.add("@P0 BRA take");
        }
        lines.add("take:");
        lines.addAll(Collections.nCopies(60, "@P0 NOP.S"));
        lines.add("EXIT");
        analyze(lines.toArray(String[]::new));
        assertFalse(kernel.leaves());
        int limit = MOST_CHANGES * kernel.blocks().size();
        assertTrue(
                liveness.steps() <= limit,
                () -> "steps=%d, limit=%d".formatted(liveness.steps(), limit));
    }
}
