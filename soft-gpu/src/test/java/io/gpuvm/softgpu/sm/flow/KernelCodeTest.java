package io.gpuvm.softgpu.sm.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelCodeTest {
    /// Returns the numbers of the instructions at which a thread may continue after the block that
    /// starts at the given instruction.
    private static List<Integer> next(KernelCode kernel, int start) {
        BasicBlock block = kernel.block(start * Instruction.BYTES);
        assertNotNull(block, "start=" + start);
        return block.successors().stream().map(pc -> pc / Instruction.BYTES).toList();
    }

    private static List<Integer> starts(KernelCode kernel) {
        return kernel.blocks().stream().map(b -> b.start() / Instruction.BYTES).toList();
    }

    @Test
    void givenStraightRun_whenFollowed_thenOneBlockIsFound() {
        KernelCode kernel = TestKernel.of("MOV R0, R1", "NOP", "EXIT", "NOP");
        assertEquals(List.of(0), starts(kernel));
        assertEquals(3, kernel.size());
        assertEquals(List.of(), next(kernel, 0));
        assertFalse(kernel.leaves());
    }

    @Test
    void givenGuardedBranch_whenFollowed_thenBlockHasTwoSuccessors() {
        KernelCode kernel = TestKernel.of("@P0 BRA end", "NOP", "end:", "EXIT");
        assertEquals(List.of(0, 1, 2), starts(kernel));
        assertEquals(List.of(1, 2), next(kernel, 0));
        assertEquals(List.of(2), next(kernel, 1));
    }

    @Test
    void givenUnconditionalBranch_whenFollowed_thenBlockHasOneSuccessor() {
        KernelCode kernel = TestKernel.of("BRA end", "NOP", "end:", "EXIT");
        assertEquals(List.of(2), next(kernel, 0));
        assertNull(kernel.block(Instruction.BYTES));
    }

    @Test
    void givenBranchIntoRun_whenFollowed_thenRunIsTwoBlocks() {
        KernelCode kernel = TestKernel.of("NOP", "loop:", "NOP", "@P0 BRA loop", "EXIT");
        assertEquals(List.of(0, 1, 3), starts(kernel));
        assertEquals(List.of(1), next(kernel, 0));
        assertEquals(List.of(1, 3), next(kernel, 1));
    }

    @Test
    void givenTwoJoins_whenFollowed_thenEachJoinLeadsToTargetOfOwnEntry() {
        KernelCode kernel =
                TestKernel.of(
                        "SSY one",
                        "@P0 BRA else",
                        "NOP.S",
                        "else:",
                        "NOP.S",
                        "one:",
                        "SSY two",
                        "@P1 NOP.S",
                        "NOP.S",
                        "two:",
                        "EXIT");
        assertEquals(List.of(4), next(kernel, 2));
        assertEquals(List.of(4), next(kernel, 3));
        assertEquals(List.of(6, 7), next(kernel, 4));
        assertEquals(List.of(7), next(kernel, 6));
    }

    @Test
    void givenNestedJoins_whenFollowed_thenInnerEntryIsTakenFirst() {
        KernelCode kernel =
                TestKernel.of(
                        "SSY outer", "SSY inner", "NOP.S", "inner:", "NOP.S", "outer:", "EXIT");
        assertEquals(List.of(3), next(kernel, 0));
        assertEquals(List.of(4), next(kernel, 3));
    }

    @Test
    void givenJoinWithLoopEntryOnTop_whenFollowed_thenJoinLeadsToTargetOfEntry() {
        KernelCode kernel = TestKernel.of("PBK end", "@P0 NOP.S", "BRK", "end:", "EXIT");
        assertEquals(List.of(2, 3), next(kernel, 0));
        assertEquals(List.of(3), next(kernel, 2));
    }

    @Test
    void givenLoop_whenFollowed_thenBreakAndContinueLeadToMatchingEntries() {
        KernelCode kernel =
                TestKernel.of(
                        "PBK end",
                        "loop:",
                        "PCNT next",
                        "@P0 BRK",
                        "SSY join",
                        "@P1 CONT",
                        "@P2 BRK",
                        "NOP.S",
                        "join:",
                        "CONT",
                        "next:",
                        "BRA loop",
                        "end:",
                        "EXIT");
        assertEquals(List.of(3, 9), next(kernel, 1));
        assertEquals(List.of(5, 8), next(kernel, 3));
        assertEquals(List.of(6, 9), next(kernel, 5));
        assertEquals(List.of(7), next(kernel, 6));
        assertEquals(List.of(8), next(kernel, 7));
        assertEquals(List.of(1), next(kernel, 8));
    }

    @Test
    void givenFunction_whenFollowed_thenReturnLeadsToInstructionAfterEveryCall() {
        KernelCode kernel = TestKernel.of("CAL f", "CAL f", "EXIT", "f:", "@P0 RET", "NOP", "RET");
        assertEquals(List.of(3), next(kernel, 0));
        assertEquals(List.of(1, 2, 4), next(kernel, 3));
        assertEquals(List.of(1, 2), next(kernel, 4));
    }

    @Test
    void givenReturnOutOfLoop_whenFollowed_thenLoopEntriesAreDropped() {
        KernelCode kernel =
                TestKernel.of("CAL f", "EXIT", "f:", "PBK end", "@P0 RET", "BRK", "end:", "RET");
        assertEquals(List.of(1, 4), next(kernel, 2));
        assertEquals(List.of(5), next(kernel, 4));
        assertEquals(List.of(1), next(kernel, 5));
    }

    @Test
    void givenPushedReturn_whenFollowed_thenReturnsLeadToPushedAddress() {
        KernelCode kernel = TestKernel.of("PRET f", "RET", "NOP", "f:", "EXIT");
        assertEquals(List.of(3), next(kernel, 0));
    }

    @Test
    void givenLongJump_whenFollowed_thenJumpLeadsToMatchingEntryPastOtherEntries() {
        KernelCode kernel =
                TestKernel.of(
                        "PLONGJMP end", "SSY join", "LONGJMP", "join:", "NOP", "end:", "EXIT");
        assertEquals(List.of(4), next(kernel, 0));
    }

    @Test
    void givenBreakWithoutEntry_whenFollowed_thenBreakHasNoTarget() {
        KernelCode kernel = TestKernel.of("@P0 BRK", "EXIT");
        assertEquals(List.of(1), next(kernel, 0));
        assertFalse(kernel.leaves());
    }

    @Test
    void givenComputedBranch_whenFollowed_thenBlocksThatTakeEntriesMayLeaveKnownCode() {
        KernelCode kernel = TestKernel.of("SSY join", "@P0 BRX R1, 0x0", "NOP.S", "join:", "EXIT");
        assertTrue(kernel.block(0).leaves());
        assertTrue(kernel.block(2 * Instruction.BYTES).leaves());
        assertFalse(kernel.block(3 * Instruction.BYTES).leaves());
        assertEquals(List.of(3), next(kernel, 2));
    }

    @Test
    void givenEntryFromConstant_whenFollowed_thenBlockThatTakesEntryMayLeaveKnownCode() {
        KernelCode kernel = TestKernel.of("SSY c[0x0][0x20]", "NOP.S");
        assertTrue(kernel.block(0).leaves());
    }

    @Test
    void givenUnreadableCode_whenFollowed_thenPrecedingBlockMayLeaveKnownCode() {
        KernelCode kernel = TestKernel.of("NOP", "NOP");
        assertTrue(kernel.block(0).leaves());
        assertEquals(2, kernel.size());
    }

    @Test
    void givenMoreInstructionsThanLimit_whenFollowed_thenRestIsUnknown() {
        KernelCode kernel = TestKernel.of(1, "NOP", "EXIT");
        assertTrue(kernel.block(0).leaves());
        assertEquals(1, kernel.size());
    }

    @Test
    void givenUnconditionalError_whenFollowed_thenPathEnds() {
        KernelCode kernel = TestKernel.of("DADD R1, R2, R4", "EXIT");
        assertEquals(List.of(), next(kernel, 0));
        assertFalse(kernel.leaves());
    }

    @Test
    void givenGuardedError_whenFollowed_thenOtherThreadsContinue() {
        KernelCode kernel = TestKernel.of("@P0 DADD R1, R2, R4", "EXIT");
        assertEquals(List.of(1), next(kernel, 0));
    }

    @Test
    void givenGuardedExit_whenFollowed_thenOtherThreadsContinue() {
        KernelCode kernel = TestKernel.of("@P0 EXIT", "EXIT");
        assertEquals(List.of(1), next(kernel, 0));
    }

    @Test
    void givenLongRun_whenFollowed_thenRunIsSplit() {
        List<String> lines = new ArrayList<>();
        for (int n = 0; n < KernelCode.LONGEST_BLOCK + 1; n++) {
            lines.add("NOP");
        }
        lines.add("EXIT");
        KernelCode kernel = TestKernel.of(lines.toArray(String[]::new));
        assertEquals(List.of(0, KernelCode.LONGEST_BLOCK), starts(kernel));
        assertEquals(List.of(KernelCode.LONGEST_BLOCK), next(kernel, 0));
        assertEquals(lines.size(), kernel.size());
    }

    @Test
    void givenMoreEntriesThanLimit_whenFollowed_thenTargetsAreUnknown() {
        List<String> lines = new ArrayList<>();
        for (int n = 0; n < 5000; n++) {
            lines.add("SSY end");
            lines.add("@P0 NOP.S");
        }
        lines.add("end:");
        lines.add("EXIT");
        KernelCode kernel = TestKernel.of(lines.toArray(String[]::new));
        assertTrue(kernel.block(0).leaves());
        assertEquals(List.of(2), next(kernel, 0));
    }

    @Test
    void givenManyEntriesTakenByManyBlocks_whenFollowed_thenTargetsAreUnknown() {
        KernelCode kernel = manyEntries(3000, "@P0 NOP.S", 100);
        assertTrue(kernel.leaves());
    }

    @Test
    void givenManyEntriesThatReachManyBlocks_whenFollowed_thenTargetsAreKnown() {
        KernelCode kernel = manyEntries(3000, "@P0 EXIT", 3000);
        assertFalse(kernel.leaves());
    }

    /// @param line instruction of each block that threads reach with an entry
    private static KernelCode manyEntries(int entries, String line, int blocks) {
        List<String> lines = new ArrayList<>();
        lines.add("BRA pushes");
        lines.add("blocks:");
        lines.addAll(Collections.nCopies(blocks, line));
        lines.add("NOP.S");
        lines.add("pushes:");
        for (int n = 0; n < entries; n++) {
            lines.add("SSY end");
            lines.add("@P0 BRA blocks");
        }
        lines.add("end:");
        lines.add("EXIT");
        return TestKernel.of(lines.toArray(String[]::new));
    }

    @Test
    void givenLargeFunctionBeforeManyCalls_whenFollowed_thenReturnTargetsAreKnown() {
        int calls = 300;
        List<String> lines = new ArrayList<>();
        lines.add("BRA kernel");
        lines.add("function:");
        for (int n = 0; n < 200; n++) {
            lines.add("SSY join%d".formatted(n));
            lines.add("@P0 BRA else%d".formatted(n));
            lines.add("NOP.S");
            lines.add("else%d: NOP.S".formatted(n));
            lines.add("join%d: NOP".formatted(n));
        }
        lines.add("RET");
        lines.add("kernel:");
        lines.addAll(Collections.nCopies(calls, "CAL function"));
        lines.add("EXIT");
        KernelCode kernel = TestKernel.of(lines.toArray(String[]::new));
        assertFalse(kernel.leaves());
        List<Integer> returns =
                kernel.blocks().stream()
                        .filter(b -> b.last().opcode == Opcode.RET)
                        .findFirst()
                        .orElseThrow()
                        .successors();
        assertEquals(calls, returns.size());
    }
}
