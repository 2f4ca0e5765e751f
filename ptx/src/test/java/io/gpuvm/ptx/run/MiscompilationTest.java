package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.check.Sources;
import io.gpuvm.ptx.generator.InterpretedProgram;
import io.gpuvm.ptx.generator.ProgramWriter;
import io.gpuvm.ptx.generator.RandomProgram;
import java.util.Arrays;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/// Errors of the compiler, injected into machine code, change the results that the other tests
/// compare.
class MiscompilationTest {
    /// Number of programs of [DifferentialTest] among which one must show an error.
    private static final int PROGRAMS = 50;

    private static final int STATEMENTS = 80;
    private static final int FEW_REGISTERS = 20;

    /// Threads of which some take a branch too long for predication, and a vote of all afterwards.
    private static final String BRANCH =
            """
            mov.u32 %t1, 0;
            and.b32 %t2, %i, 1;
            setp.eq.u32 %p0, %t2, 0;
            @%p0 bra EVEN;
            atom.global.add.u32 %t1, [counter], %t0;
            atom.global.add.u32 %t1, [counter], %t1;
            atom.global.add.u32 %t1, [counter], %t1;
            atom.global.add.u32 %t1, [counter], %t1;
            bra JOIN;
            EVEN:
            atom.global.add.u32 %t1, [counter], 1;
            atom.global.add.u32 %t1, [counter], %t1;
            atom.global.add.u32 %t1, [counter], %t1;
            atom.global.add.u32 %t1, [counter], %t1;
            JOIN:
            setp.ne.u32 %p1, %i, 99;
            vote.ballot.b32 %t1, %p1;
            """;

    /// Sum of a warp's words without barriers, as code of 2011 computes it.
    private static final String WARP_SUM =
            """
            mov.u32 %t2, words;
            mad.lo.u32 %t2, %i, 4, %t2;
            st.volatile.shared.u32 [%t2+64], 0;
            st.volatile.shared.u32 [%t2], %t0;
            ld.volatile.shared.u32 %t3, [%t2+4];
            add.u32 %t0, %t0, %t3;
            st.volatile.shared.u32 [%t2], %t0;
            ld.volatile.shared.u32 %t1, [%t2+8];
            """;

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"LOST_RECONVERGENCE", "REORDERED_VOLATILE"})
    void givenMiscompilation_whenRandomProgramsRun_thenResultsDifferFromInterpreters(
            Miscompilation error) {
        for (int seed = 1; seed <= PROGRAMS; seed++) {
            RandomProgram program = ProgramWriter.write(seed, STATEMENTS);
            Cubin cubin =
                    CompiledProgram.compile(
                            program, PtxOptions.DEFAULT.withRegisters(FEW_REGISTERS));
            byte[] expected = InterpretedProgram.run(program, Sources.module(program.source()));
            if (!Arrays.equals(
                    expected, outcome(() -> CompiledProgram.run(program, error.apply(cubin))))) {
                assertArrayEquals(expected, CompiledProgram.run(program, cubin));
                return;
            }
        }
        throw new AssertionError("no program shows " + error);
    }

    @Test
    void givenLostReconvergence_whenWarpVotes_thenVotesAreMissing() {
        String source = BodyKernel.source(".global .u32 counter;", BRANCH);
        checkDetection(Miscompilation.LOST_RECONVERGENCE, source);
    }

    @Test
    void givenReorderedVolatileAccesses_whenThreadsOfWarpExchangeWords_thenSumsDiffer() {
        String source = BodyKernel.source(".shared .align 4 .b32 words[96];", WARP_SUM);
        checkDetection(Miscompilation.REORDERED_VOLATILE, source);
    }

    private static void checkDetection(Miscompilation error, String source) {
        Cubin cubin = BodyKernel.compile(source, PtxOptions.DEFAULT);
        int[] expected = BodyKernel.run(cubin);
        Cubin changed = error.apply(cubin);
        assertFalse(
                cubin.functions().getLast().code().mismatch(changed.functions().getLast().code())
                        < 0);
        assertTrue(!Arrays.equals(expected, BodyKernel.run(changed)), error.name());
    }

    /// Returns the results, or null if the kernel traps or hangs.
    private static byte[] outcome(Supplier<byte[]> run) {
        try {
            return run.get();
        } catch (AssertionError e) {
            return null;
        }
    }
}
