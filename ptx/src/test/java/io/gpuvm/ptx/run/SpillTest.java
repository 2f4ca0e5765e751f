package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.gpuvm.ptx.PtxOptions;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Kernels with more variables than registers.
class SpillTest {
    private static final int CONDITIONS = 30;
    private static final int REDEFINITIONS = 12;
    private static final int SEED = 1;

    /// Each condition is a branch over redefinitions of words and predicates, so that more phis
    /// than registers are at its end.
    @ParameterizedTest
    @ValueSource(ints = {20, 100, 300})
    void givenVariablesConditionallyRedefinedInLoop_whenCompiled_thenResultsEqualInterpreters(
            int variables) {
        String source = BodyKernel.source("", loop(variables));
        int[] expected = BodyKernel.interpret(source);
        for (PtxOptions options :
                List.of(
                        PtxOptions.DEFAULT,
                        PtxOptions.DEFAULT.withoutOptimization(),
                        PtxOptions.DEFAULT.withRegisters(PtxOptions.LEAST_REGISTERS))) {
            assertArrayEquals(
                    expected,
                    BodyKernel.run(BodyKernel.compile(source, options)),
                    options.toString());
        }
    }

    private static String loop(int variables) {
        SplittableRandom random = new SplittableRandom(SEED);
        StringBuilder text = new StringBuilder();
        text.append(".reg .b32 %%v<%d>;\n.reg .pred %%q<%d>;\n".formatted(variables, variables));
        for (int i = 0; i < variables; i++) {
            text.append("add.u32 %%v%d, %%t0, %d;\n".formatted(i, 13 * i));
            text.append("and.b32 %%t2, %%v%d, 5;\nsetp.eq.u32 %%q%d, %%t2, 1;\n".formatted(i, i));
        }
        text.append("mov.u32 %t3, 0;\nLOOP:\n");
        for (int i = 0; i < CONDITIONS; i++) {
            text.append("@%%q%d bra E%d;\n".formatted(random.nextInt(variables), i));
            for (int k = 0; k < REDEFINITIONS; k++) {
                String form =
                        random.nextBoolean()
                                ? "add.u32 %%v%d, %%v%d, %%v%d;\n"
                                : "setp.lt.s32 %%q%d, %%v%d, %%v%d;\n";
                text.append(
                        form.formatted(
                                random.nextInt(variables),
                                random.nextInt(variables),
                                random.nextInt(variables)));
            }
            text.append("E%d:\n".formatted(i));
        }
        text.append("add.u32 %t3, %t3, 1;\nsetp.lt.u32 %p0, %t3, 3;\n@%p0 bra LOOP;\n");
        text.append("mov.u32 %t1, 0;\n");
        for (int i = 0; i < variables; i++) {
            text.append("selp.u32 %%t2, 1, %%v%d, %%q%d;\n".formatted(i, i));
            text.append("mad.lo.u32 %t1, %t1, 31, %t2;\n");
        }
        return text.toString();
    }
}
