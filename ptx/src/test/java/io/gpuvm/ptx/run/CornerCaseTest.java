package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.gpuvm.ptx.PtxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Kernels in `corner-cases.txt` with operands at the borders of their ranges, and rare
/// combinations of instructions. Each has a name after `# `, declarations, a line `---`, and the
/// instructions of a [BodyKernel].
class CornerCaseTest {
    private static final int FEW_REGISTERS = 20;

    static Stream<Arguments> cases() throws IOException {
        try (InputStream file = CornerCaseTest.class.getResourceAsStream("corner-cases.txt")) {
            String all = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(all.split("(?m)^# ")).skip(1).map(CornerCaseTest::parse);
        }
    }

    private static Arguments parse(String text) {
        int name = text.indexOf('\n');
        String[] parts = text.substring(name + 1).split("(?m)^---$");
        return Arguments.of(text.substring(0, name), parts[0], parts[1]);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void givenCornerCase_whenCompiled_thenResultsEqualInterpreters(
            String name, String declarations, String body) {
        String source = BodyKernel.source(declarations, body);
        int[] expected = BodyKernel.interpret(source);
        for (PtxOptions options :
                List.of(
                        PtxOptions.DEFAULT,
                        PtxOptions.DEFAULT.withoutOptimization(),
                        PtxOptions.DEFAULT.withRegisters(FEW_REGISTERS))) {
            assertArrayEquals(
                    expected,
                    BodyKernel.run(BodyKernel.compile(source, options)),
                    name + ", " + options);
        }
    }
}
