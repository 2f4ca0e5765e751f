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
import org.junit.jupiter.api.Test;

/// Random programs with instructions of newer targets: compiled code has the results of the
/// interpreter.
class NewerTargetTest {
    private static final int STATEMENTS = 80;

    @Test
    void givenRandomPrograms_whenCompiled_thenResultsEqualInterpreters() {
        compare(1, 20);
    }

    @Test
    @Tag("long")
    void givenManyRandomPrograms_whenCompiled_thenResultsEqualInterpreters() {
        compare(1_000, 30_000);
    }

    private static void compare(int first, int count) {
        for (int seed = first; seed < first + count; seed++) {
            RandomProgram program = ProgramWriter.writeForNewerTarget(seed, STATEMENTS);
            byte[] expected = InterpretedProgram.run(program, Sources.module(program.source()));
            for (PtxOptions options :
                    List.of(PtxOptions.DEFAULT, PtxOptions.DEFAULT.withoutOptimization())) {
                byte[] found = CompiledProgram.run(program, options);
                assertEquals(
                        -1,
                        Arrays.mismatch(expected, found),
                        () -> program.seed() + " with " + options + "\n" + program.source());
            }
        }
    }
}
