package io.gpuvm.softgpu.sm.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UniformityTest {
    private static final int REGISTERS = 63;

    /// Maximum number of changes of a block: the first visit, and one for each register, predicate
    /// and bit of the condition code that turns out not to be uniform.
    private static final int MOST_CHANGES = REGISTERS + 7 + 4 + 1;

    private KernelCode kernel;
    private Uniformity uniformity;

    private void analyze(String... lines) {
        kernel = TestKernel.of(lines);
        uniformity = Uniformity.of(kernel);
    }

    /// Returns the values that are uniform before an instruction.
    private ThreadValues before(int n) {
        int pc = n * Long.BYTES;
        for (BasicBlock block : kernel.blocks()) {
            if (block.start() <= pc && pc < block.end()) {
                return uniformity.before(block, (pc - block.start()) / Long.BYTES);
            }
        }
        throw new AssertionError("instruction=" + n);
    }

    @Test
    void givenFirstInstruction_whenAnalyzed_thenNoValueIsUniform() {
        analyze("EXIT");
        assertEquals(ThreadValues.NONE, before(0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "MOV R0, c[0x0][0x20]; true",
                "MOV32I R0, 0x5; true",
                "MOV R0, RZ; true",
                "MOV R0, R1; false",
                "S2R R0, SR_CTAID.X; true",
                "S2R R0, SR_NTID.Y; true",
                "S2R R0, SR_TID.X; false",
                "S2R R0, SR_TID.Y; false",
                "S2R R0, SR_LANEID; false",
                "S2R R0, SR_CLOCKLO; false",
                "LDC R0, c[0x1][0x8]; true",
                "LDC R0, c[0x1][R2]; false",
                "LD R0, [RZ]; false",
                "LDS R0, [RZ]; false",
                "VOTE.ANY R0, PT, P1; true",
                "@P0 VOTE.ANY R0, PT, P1; false",
                "@P0 MOV R0, RZ; false",
                "LEPC R0; true",
            })
    void givenInstruction_whenAnalyzed_thenUniformityOfResultIsKnown(
            String line, boolean isUniform) {
        analyze(line, "EXIT");
        assertEquals(isUniform, before(1).hasRegister(0));
    }

    @Test
    void givenArithmetic_whenAnalyzed_thenResultIsUniformIfOperandsAreUniform() {
        analyze(
                "MOV R0, c[0x0][0x20]",
                "IADD R1.CC, R0, R0",
                "IADD.X R2, R1, R5",
                "ISETP.EQ.AND P0, PT, R0, R1, PT",
                "ISETP.EQ.AND P1, PT, R0, R2, PT",
                "EXIT");
        ThreadValues end = before(5);
        assertEquals(3, end.registers());
        assertEquals(1, end.predicates());
        assertEquals(ThreadValues.ALL_CONDITIONS, end.conditions());
    }

    @Test
    void givenGuardedWrite_whenAnalyzed_thenUniformityDependsOnGuardAndOldValue() {
        analyze(
                "ISETP.EQ.AND P0, PT, RZ, c[0x0][0x20], PT",
                "@P0 MOV R0, c[0x0][0x20]",
                "MOV R1, RZ",
                "@P0 MOV R1, c[0x0][0x20]",
                "MOV R2, RZ",
                "@P1 MOV R2, c[0x0][0x20]",
                "EXIT");
        assertEquals(1L << 1, before(6).registers());
    }

    @Test
    void givenExitingThreads_whenAnalyzed_thenValuesOfOtherThreadsRemainUniform() {
        analyze("S2R R0, SR_TID.X", "@P0 EXIT", "MOV R1, RZ", "SSY a", "NOP.S", "a:", "EXIT");
        assertTrue(before(5).hasRegister(1));
    }

    @Test
    void givenDivergingLanes_whenJoined_thenWrittenValuesAreNotUniform() {
        analyze(
                "MOV R0, RZ",
                "MOV R1, RZ",
                "SSY join",
                "@P0 BRA else",
                "MOV R1, RZ",
                "IADD R2, R1, R0",
                "NOP.S",
                "else:",
                "NOP.S",
                "join:",
                "EXIT");
        assertTrue(before(6).hasRegister(2), "between push and join");
        assertTrue(before(8).hasRegister(0), "not written");
        assertFalse(before(8).hasRegister(1));
        assertFalse(before(8).hasRegister(2));
    }

    @Test
    void givenLanesThatStayTogether_whenJoined_thenValuesWrittenOnAllPathsAreUniform() {
        analyze(
                "ISETP.EQ.AND P0, PT, RZ, c[0x0][0x20], PT",
                "SSY join",
                "@P0 BRA else",
                "MOV R1, RZ",
                "MOV R2, RZ",
                "NOP.S",
                "else:",
                "MOV R1, c[0x0][0x24]",
                "NOP.S",
                "join:",
                "EXIT");
        assertEquals(1L << 1, before(8).registers());
    }

    @Test
    void givenLoopThatLanesLeaveSeparately_whenLeft_thenCounterIsNotUniform() {
        analyze(
                "MOV R0, RZ",
                "MOV R1, RZ",
                "PBK done",
                "loop:",
                "ISETP.GE.AND P0, PT, R0, R5, PT",
                "@P0 BRK",
                "IADD R0, R0, 1",
                "BRA loop",
                "done:",
                "EXIT");
        assertTrue(before(5).hasRegister(0), "in the loop");
        assertFalse(before(7).hasRegister(0));
        assertTrue(before(7).hasRegister(1));
    }

    @Test
    void givenLoopThatLanesLeaveTogether_whenLeft_thenCounterIsUniform() {
        analyze(
                "MOV R0, RZ",
                "PBK done",
                "loop:",
                "ISETP.GE.AND P0, PT, R0, c[0x0][0x20], PT",
                "@P0 BRK",
                "IADD R0, R0, 1",
                "BRA loop",
                "done:",
                "EXIT");
        assertTrue(before(6).hasRegister(0));
    }

    @Test
    void givenBreakOfDivergedLanes_whenLoopIsLeft_thenWrittenValuesAreNotUniform() {
        analyze(
                "MOV R0, RZ",
                "PBK done",
                "loop:",
                "IADD R0, R0, 1",
                "SSY join",
                "@P0 BRA skip",
                "BRK",
                "skip:",
                "NOP.S",
                "join:",
                "BRA loop",
                "done:",
                "EXIT");
        assertTrue(before(2).hasRegister(0));
        assertFalse(before(8).hasRegister(0));
    }

    @Test
    void givenFunctionInWhichLanesDiverge_whenReturned_thenWrittenValuesAreNotUniform() {
        analyze(
                "MOV R0, RZ",
                "MOV R1, RZ",
                "CAL f",
                "EXIT",
                "f:",
                "@P0 RET",
                "MOV R1, c[0x0][0x20]",
                "RET");
        assertEquals(1, before(3).registers());
    }

    @Test
    void givenUnknownCode_whenAnalyzed_thenNoValueIsUniformAtStartOfBlock() {
        analyze("MOV R0, RZ", "@P0 BRX R1, 0x0", "MOV R2, RZ", "EXIT");
        assertTrue(before(1).hasRegister(0));
        assertEquals(ThreadValues.NONE, before(2));
        assertTrue(before(3).hasRegister(2));
    }

    /// Many instructions push entries, and many blocks continue at them. In each iteration of the
    /// analysis, one more register of the entries is not uniform.
    @ParameterizedTest
    @CsvSource({"100, 10, P0", "100, 10, PT", "500, 40, P0", "500, 40, PT"})
    void givenManyEntriesTakenByManyBlocks_whenAnalyzed_thenStepsAreLinearInTakenEntries(
            int pushes, int takers, String guard) {
        List<String> lines = new ArrayList<>();
        for (int register = 1; register < REGISTERS; register++) {
            lines.add("MOV R%d, RZ".formatted(register));
        }
        lines.add("again:");
        for (int register = REGISTERS - 1; register > 0; register--) {
            lines.add("MOV R%d, R%d".formatted(register, register - 1));
        }
        for (int n = 0; n < pushes; n++) {
            lines.add("SSY end");
            lines.add("@P0 BRA take");
        }
        lines.add("BRA again");
        lines.add("take:");
        for (int n = 0; n < takers; n++) {
            lines.add("@%s NOP.S".formatted(guard));
        }
        lines.add("end:");
        lines.add("EXIT");
        analyze(lines.toArray(String[]::new));
        assertFalse(kernel.leaves());
        // A block is one step, and each of its two edges is another. An entry is two: its visit,
        // and the visit of its target.
        long limit = MOST_CHANGES * (3L * kernel.blocks().size() + 2L * takers * pushes);
        long steps = uniformity.steps();
        assertTrue(steps <= limit, () -> "steps=%d, limit=%d".formatted(steps, limit));
        assertFalse(before(REGISTERS).hasRegister(REGISTERS - 1));
    }
}
