package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.check.Sources;
import io.gpuvm.ptx.generator.InterpretedProgram;
import io.gpuvm.ptx.generator.ProgramWriter;
import io.gpuvm.ptx.generator.RandomProgram;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Random programs: compiled code has the results of the interpreter.
class DifferentialTest {
    private static final List<PtxOptions> OPTIONS =
            List.of(
                    PtxOptions.DEFAULT,
                    PtxOptions.DEFAULT.withoutOptimization(),
                    PtxOptions.DEFAULT.withRegisters(20),
                    PtxOptions.DEFAULT.withRegisters(PtxOptions.LEAST_REGISTERS));

    @ParameterizedTest
    @CsvSource({"1, 40, 12", "101, 25, 80"})
    void givenRandomPrograms_whenCompiled_thenResultsEqualInterpreters(
            int first, int count, int statements) {
        compare(first, count, statements);
    }

    /// Programs that failed: saturated sums of more than 63 bits, shifts beyond 34 bits, an indexed
    /// branch into a common join before a vote, spilled phis of one block.
    @ParameterizedTest
    @CsvSource({"63, 80", "116, 80", "11, 30", "1962, 80"})
    void givenProgramThatFailed_whenCompiled_thenResultsEqualInterpreters(
            int seed, int statements) {
        compare(seed, 1, statements);
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({"1000, 60000, 12", "100000, 40000, 80", "200000, 1000, 200"})
    void givenManyRandomPrograms_whenCompiled_thenResultsEqualInterpreters(
            int first, int count, int statements) {
        compare(first, count, statements);
    }

    private static void compare(int first, int count, int statements) {
        for (int seed = first; seed < first + count; seed++) {
            RandomProgram program = ProgramWriter.write(seed, statements);
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
