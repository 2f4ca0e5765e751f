package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.real.GuestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Test of the harness of CUDA programs with the programs of this checkout. Requires clang 19 of
/// `tests/clang/setup`, and that `gpuvm build` has built the checkout.
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("long")
class CudaProgramsTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));
    private static final String CLANG = "clang-19/clang";

    /// Exit status of a harness whose result is not "pass".
    private static final int NOT_PASSED = 1;

    @TempDir private Path folder;

    @BeforeEach
    void clangIsSetUp() {
        Path clang = GuestFiles.locate().cache().resolve(CLANG);
        assumeTrue(Files.isExecutable(clang), "clang 19 is not set up");
    }

    @Test
    void givenPrograms_whenBuiltAndRun_thenEachVerifiesItsResults() throws Exception {
        JsonNode report = report(0, "tests/cuda-programs/run", "own");

        assertAllPass(report, false);
    }

    @Test
    void givenKernelsWithoutEffects_whenProgramsRun_thenEachDetectsIt() throws Exception {
        JsonNode report = report(0, "tests/cuda-programs/run", "--negative", "own");

        assertAllPass(report, true);
    }

    @Test
    void givenProgramWithWrongResults_whenRun_thenResultIsNotPass() throws Exception {
        Path suite = Files.createDirectory(folder.resolve("wrong"));
        Files.writeString(
                suite.resolve("wrong.cu"),
                """
                #include <cstdio>
                __global__ void store(int *word) { *word = 2; }
                int main() {
                  int *word, found;
                  cudaMalloc((void **)&word, sizeof found);
                  store<<<1, 1>>>(word);
                  cudaMemcpy(&found, word, sizeof found, cudaMemcpyDeviceToHost);
                  printf("found=%d\\n", found);
                  return found == 3 ? 0 : 1;
                }
                """);
        Files.writeString(
                suite.resolve("suite.sh"),
                """
                goal=1
                origin=
                list=
                programs() { echo 'wrong|.|cc wrong.cu -o wrong|./wrong|prints found=3'; }
                """);

        JsonNode report = report(NOT_PASSED, "tests/cuda-programs/run", suite.toString());

        assertEquals("fail", report.at("/programs/0/result").asText(), report::toString);
        assertTrue(!report.get("result").asText().equals("pass"), report::toString);
    }

    private static void assertAllPass(JsonNode report, boolean negative) {
        assertEquals("pass", report.get("result").asText(), report::toString);
        assertEquals(negative, report.get("negative").asBoolean(), report::toString);
        assertEquals(2, report.get("programs").size(), report::toString);
    }

    private JsonNode report(int status, String... command)
            throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(command)
                        .directory(ROOT.toFile())
                        .redirectOutput(output.toFile())
                        .redirectError(folder.resolve("errors").toFile())
                        .start();
        int found = process.waitFor();
        List<String> lines = Files.readAllLines(output);
        assertEquals(
                status, found, () -> String.join("\n", lines) + read(folder.resolve("errors")));
        return new ObjectMapper().readTree(lines.getLast());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
