package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.check.Sources;
import io.gpuvm.ptx.generator.InterpretedProgram;
import io.gpuvm.ptx.generator.ProgramVariation;
import io.gpuvm.ptx.generator.ProgramWriter;
import io.gpuvm.ptx.generator.RandomBranches;
import io.gpuvm.ptx.generator.RandomProgram;
import io.gpuvm.softgpu.sm.ExecutionMode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Random programs for Fermi and for newer targets: compiled code has the results of the
/// interpreter.
class DifferentialTest {
    /// Number and size of programs whose kernels the software GPU compiles, which takes long.
    private static final int COMPILED_PROGRAMS = 8;

    private static final int COMPILED_STATEMENTS = 30;

    private static final List<PtxOptions> OPTIONS =
            List.of(
                    PtxOptions.DEFAULT,
                    PtxOptions.DEFAULT.withoutOptimization(),
                    PtxOptions.DEFAULT.withRegisters(20),
                    PtxOptions.DEFAULT.withRegisters(PtxOptions.LEAST_REGISTERS));

    @ParameterizedTest
    @CsvSource({"1, 40, 12, false", "101, 20, 80, false", "301, 15, 40, true"})
    void givenRandomPrograms_whenCompiled_thenResultsEqualInterpreters(
            int first, int count, int statements, boolean newer) {
        compare(first, count, statements, newer, false);
    }

    @ParameterizedTest
    @CsvSource({"1, 30, 30, false", "101, 15, 30, true"})
    void givenGuardsAndConstantsAnywhere_whenCompiled_thenResultsEqualInterpreters(
            int first, int count, int statements, boolean newer) {
        compare(first, count, statements, newer, true);
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({"1000, 20000, 30, false", "100000, 20000, 30, true", "200000, 5000, 80, false"})
    void givenManyProgramsWithGuardsAndConstants_whenCompiled_thenResultsEqualInterpreters(
            int first, int count, int statements, boolean newer) {
        compare(first, count, statements, newer, true);
    }

    /// Branches between any two blocks; few and many variables, so that some are spilled.
    @ParameterizedTest
    @CsvSource({"1, 100, 8, 6, 3", "201, 60, 30, 12, 4", "301, 6, 30, 100, 12"})
    void givenBranchesAnywhere_whenCompiled_thenResultsEqualInterpreters(
            int first, int count, int blocks, int variables, int statements) {
        compareBranches(first, count, blocks, variables, statements);
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({
        "1000, 20000, 8, 6, 3",
        "100000, 10000, 30, 12, 4",
        "200000, 2000, 100, 12, 4",
        "300000, 500, 30, 300, 20"
    })
    void givenManyProgramsWithBranchesAnywhere_whenCompiled_thenResultsEqualInterpreters(
            int first, int count, int blocks, int variables, int statements) {
        compareBranches(first, count, blocks, variables, statements);
    }

    @Test
    void givenRandomPrograms_whenSoftwareGpuCompilesKernels_thenResultsEqualInterpreters() {
        for (int seed = 1; seed <= COMPILED_PROGRAMS; seed++) {
            RandomProgram program = ProgramWriter.write(seed, COMPILED_STATEMENTS);
            byte[] expected = InterpretedProgram.run(program, Sources.module(program.source()));
            Cubin cubin = CompiledProgram.compile(program, PtxOptions.DEFAULT);
            byte[] found = CompiledProgram.run(program, cubin, ExecutionMode.COMPILED);
            assertEquals(-1, Arrays.mismatch(expected, found), program.source());
        }
    }

    /// Programs that failed: saturated sums of more than 63 bits, shifts beyond 34 bits, an indexed
    /// branch into a common join before a vote, spilled phis of one block.
    @ParameterizedTest
    @CsvSource({"63, 80", "116, 80", "11, 30", "1962, 80"})
    void givenProgramThatFailed_whenCompiled_thenResultsEqualInterpreters(
            int seed, int statements) {
        compare(seed, 1, statements, false, false);
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({
        "1000, 60000, 12, false",
        "100000, 20000, 80, false",
        "200000, 1000, 200, false",
        "300000, 20000, 40, true"
    })
    void givenManyRandomPrograms_whenCompiled_thenResultsEqualInterpreters(
            int first, int count, int statements, boolean newer) {
        compare(first, count, statements, newer, false);
    }

    private static void compareBranches(
            int first, int count, int blocks, int variables, int statements) {
        for (int seed = first; seed < first + count; seed++) {
            String body = RandomBranches.write(seed, blocks, variables, statements);
            String source = BodyKernel.source(RandomBranches.DECLARATIONS, body);
            int[] expected = BodyKernel.interpret(source);
            for (PtxOptions options : OPTIONS) {
                assertArrayEquals(
                        expected,
                        BodyKernel.run(BodyKernel.compile(source, options)),
                        seed + " with " + options + "\n" + source);
            }
        }
    }

    /// @param varied whether any instruction may have a guard, and any operand be a number
    private static void compare(
            int first, int count, int statements, boolean newer, boolean varied) {
        for (int seed = first; seed < first + count; seed++) {
            RandomProgram written =
                    newer
                            ? ProgramWriter.writeForNewerTarget(seed, statements)
                            : ProgramWriter.write(seed, statements);
            RandomProgram program = varied ? ProgramVariation.of(written) : written;
            byte[] expected = InterpretedProgram.run(program, Sources.module(program.source()));
            for (PtxOptions options : OPTIONS) {
                byte[] found = CompiledProgram.run(program, options);
                assertEquals(
                        -1,
                        Arrays.mismatch(expected, found),
                        () -> program.seed() + " with " + options + "\n" + program.source());
            }
        }
    }
}
