package io.gpuvm.ptx.clang;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.ptx.PtxOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random kernels in C: compiled code has the results of the same source on the processor. Requires
/// `tests/clang/setup`; the test with the tag `long` requires several of its versions. It takes
/// hours; the properties `gpuvm.ptx.firstSeed` and `gpuvm.ptx.files` divide it into parts.
class ClangDifferentialTest {
    private static final int USUAL_VERSION = 19;

    /// clang 16 extracts bits of signed integers beyond the sign wrongly (`bfe.u64`).
    private static final List<Integer> VERSIONS = List.of(19, 22);

    private static final int KERNELS_OF_FILE = 50;
    private static final int FILES = 10;

    /// First seed of the long test, and number of its files, so that it can run in parts.
    private static final int FIRST_SEED = Integer.getInteger("gpuvm.ptx.firstSeed", 1_000);

    private static final int LONG_FILES = Integer.getInteger("gpuvm.ptx.files", 2_000);

    /// Number of files after which the long test reports its progress.
    private static final int REPORTED_FILES = 20;

    private static final List<String> LEVELS = List.of("-O2", "-O0", "-O1", "-O3");
    private static final List<PtxOptions> OPTIONS =
            List.of(
                    PtxOptions.DEFAULT,
                    PtxOptions.DEFAULT.withoutOptimization(),
                    PtxOptions.DEFAULT.withRegisters(20));

    @TempDir private Path folder;

    @Test
    @Tag("commands")
    void givenRandomKernels_whenCompiledFromOptimizedCode_thenResultsEqualProcessors() {
        compare(1, "-O2");
    }

    @Test
    @Tag("commands")
    void givenRandomKernels_whenCompiledFromCodeWithoutOptimization_thenResultsEqualProcessors() {
        compare(1 + FILES, "-O0");
    }

    private void compare(int first, String level) {
        Clang clang = clang(USUAL_VERSION);
        for (int seed = first; seed < first + FILES; seed++) {
            compare(seed, clang, level, List.of(PtxOptions.DEFAULT));
        }
    }

    @Test
    @Tag("long")
    void givenManyRandomKernels_whenCompiledFromAllVersions_thenResultsEqualProcessors() {
        List<Clang> all = VERSIONS.stream().map(ClangDifferentialTest::clang).toList();
        for (int i = 0; i < LONG_FILES; i++) {
            int seed = FIRST_SEED + i;
            String level = LEVELS.get(seed % LEVELS.size());
            compare(seed, all.get(seed / LEVELS.size() % all.size()), level, OPTIONS);
            if ((i + 1) % REPORTED_FILES == 0) {
                System.err.printf("%d of %d files agree, seed %d%n", i + 1, LONG_FILES, seed);
            }
        }
    }

    private static Clang clang(int version) {
        Optional<Clang> clang = Clang.version(version);
        assumeTrue(
                clang.isPresent(),
                "no clang-%d: tests/clang/setup has not installed it".formatted(version));
        return clang.orElseThrow();
    }

    private void compare(int seed, Clang clang, String level, List<PtxOptions> options) {
        RandomKernels kernels = RandomKernels.write(seed, KERNELS_OF_FILE);
        String source = kernels.source();
        byte[] expected = clang.output(folder, source);
        String ptx = clang.ptx(folder, source, level);
        for (PtxOptions each : options) {
            byte[] found = CompiledKernels.run(kernels, ptx, each);
            int mismatch = Arrays.mismatch(expected, found);
            assertEquals(
                    -1,
                    mismatch,
                    () ->
                            "seed=%d, %s, %s, %s, kernel %d"
                                    .formatted(
                                            seed,
                                            clang.program(),
                                            level,
                                            each,
                                            mismatch / RandomKernels.resultBytes()));
        }
    }
}
