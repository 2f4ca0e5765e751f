package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Opcode;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Reduction of kernels to the instructions that satisfy a condition.
@Tag("own-mode")
class KernelShrinkerTest {
    @Test
    void givenKernelWithOneRelevantInstruction_whenShrunk_thenOnlyRelevantInstructionRemains() {
        long[] words = new RandomKernel(1).words();
        long wanted = words[words.length / 3];
        KernelShrinker shrinker =
                new KernelShrinker(less -> Arrays.stream(less).anyMatch(word -> word == wanted));
        assertArrayEquals(new long[] {wanted}, shrinker.shrink(words));
    }

    @Test
    void givenBranches_whenInstructionsAreRemoved_thenTargetsArePreserved() {
        long[] words =
                Assembler.code(
                        "branches",
                        """
                        SSY join
                        NOP
                        loop:
                        MOV R1, R2
                        NOP
                        @P0 BRA loop
                        NOP
                        NOP.S
                        join:
                        EXIT
                        """);
        long[] less =
                Assembler.code(
                        "branches",
                        """
                        SSY join
                        loop:
                        MOV R1, R2
                        @P0 BRA loop
                        NOP.S
                        join:
                        EXIT
                        """);
        long[] one = KernelShrinker.without(words, 1, 2);
        long[] two = KernelShrinker.without(one, 2, 3);
        assertArrayEquals(less, KernelShrinker.without(two, 3, 4));
    }

    @Test
    void givenCompilerThatOmitsOperation_whenKernelIsShrunk_thenOperationIsNamed() {
        try (KernelRun right = new KernelRun(new Kernels(ExecutionMode.INTERPRETER));
                KernelRun wrong = new KernelRun(new Kernels(ExecutionMode.INTERPRETER))) {
            KernelShrinker shrinker =
                    new KernelShrinker(less -> {
                        right.run(less, 32, 1);
                        wrong.run(withoutAdditions(less), 32, 1);
                        return right.difference(wrong, true) != null;
                    });
            long[] least = shrinker.shrink(new RandomKernel(1).words());
            assertTrue(least.length <= 2, () -> KernelShrinker.listing(least));
            assertEquals(Opcode.IADD, InstructionTable.find(least[0]).opcode());
        }
    }

    private static long[] withoutAdditions(long[] words) {
        long nop = Code.word(Opcode.NOP);
        return Arrays.stream(words)
                .map(word -> {
                    var form = InstructionTable.find(word);
                    return form != null && form.opcode() == Opcode.IADD ? nop : word;
                })
                .toArray();
    }
}
