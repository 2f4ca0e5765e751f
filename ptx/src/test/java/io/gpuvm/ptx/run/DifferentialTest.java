package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.check.Sources;
import io.gpuvm.ptx.generator.InterpretedProgram;
import io.gpuvm.ptx.generator.ProgramWriter;
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
        compare(first, count, statements, newer);
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
        compare(seed, 1, statements, false);
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
        compare(first, count, statements, newer);
    }

    private static void compare(int first, int count, int statements, boolean newer) {
        for (int seed = first; seed < first + count; seed++) {
            RandomProgram program =
                    newer
                            ? ProgramWriter.writeForNewerTarget(seed, statements)
                            : ProgramWriter.write(seed, statements);
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
