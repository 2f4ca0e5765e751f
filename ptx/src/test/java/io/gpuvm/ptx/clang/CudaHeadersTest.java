package io.gpuvm.ptx.clang;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.run.KernelBench;
import io.gpuvm.softgpu.sm.Dimensions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Programs in CUDA C++ with the headers of `cuda/include`: all versions of clang accept them, and
/// the device's functions have their results on the software GPU. Requires `tests/clang/setup all`.
@Tag("commands")
class CudaHeadersTest {
    private static final int THREADS = 64;
    private static final int FAILURES = 61;
    private static final List<Integer> VERSIONS = List.of(16, 19, 22);
    private static final List<String> STANDARDS = List.of("c++11", "c++14", "c++17", "c++20");

    /// Largest errors of the functions in the CUDA programming guide and of `StrictMath`, in units
    /// in the last place. `tests/cuda-math/run` measures the errors of all functions.
    private static final double MAX_ERROR = 2 + 1;

    /// Functions of `mathematics.cu`, in order.
    private static final List<DoubleUnaryOperator> FUNCTIONS =
            List.of(
                    StrictMath::sin,
                    StrictMath::cos,
                    StrictMath::tan,
                    StrictMath::exp,
                    x -> StrictMath.log(StrictMath.abs(x)),
                    StrictMath::atan,
                    StrictMath::cbrt,
                    StrictMath::tanh,
                    x -> StrictMath.pow(StrictMath.abs(x), 1.75));

    /// Numbers of magnitudes from 1e-20 to 1e20.
    private static final double[] INPUTS =
            new Random(1)
                    .doubles(512, -1, 1)
                    .map(x -> StrictMath.signum(x) * StrictMath.pow(10, 40 * Math.abs(x) - 20))
                    .toArray();

    @TempDir private Path folder;

    @TestFactory
    Stream<DynamicTest> givenProgramWithStandardLibrary_whenCompiled_thenBothPartsCompile() {
        return eachVersion(clang -> {
            clang.cudaHost(folder, resource("headers.cu"), "c++11");
            PtxResult result = compile(clang.cudaPtx(folder, resource("headers.cu"), "c++20"));
            assertTrue(result.isCompiled(), () -> result.diagnostics().toString());
        });
    }

    @TestFactory
    Stream<DynamicTest> givenChecksOfIntrinsics_whenRun_thenNoCheckFails() {
        return eachVersion(clang -> {
            PtxResult result = compile(clang.cudaPtx(folder, resource("intrinsics.cu"), "c++14"));
            assertTrue(result.isCompiled(), () -> result.diagnostics().toString());
            assertEquals(List.of(), failedLines(result, "checks"));
            assertEquals(1, failedLines(result, "control").size(), "the check that must fail");
        });
    }

    @TestFactory
    Stream<DynamicTest> givenFastMath_whenChecksOfIntrinsicsRun_thenNoCheckFails() {
        return eachVersion(clang -> {
            String ptx = clang.cudaPtx(folder, resource("intrinsics.cu"), "c++14", "-ffast-math");
            assertEquals(List.of(), failedLines(compile(ptx), "checks"));
        });
    }

    @TestFactory
    Stream<DynamicTest> givenNumbers_whenFunctionsOfMathematicsRun_thenResultsAreAsExactAsGuides() {
        return eachVersion(clang -> {
            PtxResult result = compile(clang.cudaPtx(folder, resource("mathematics.cu"), "c++17"));
            double[] results = mathematics(result);
            for (int i = 0; i < results.length; i++) {
                double input = INPUTS[i % INPUTS.length];
                int function = i / INPUTS.length;
                double expected = FUNCTIONS.get(function).applyAsDouble(input);
                double error = Math.abs(results[i] - expected) / Math.ulp(expected);
                assertTrue(
                        error <= MAX_ERROR || results[i] == expected,
                        "function %d of %s: %s, expected %s"
                                .formatted(function, input, results[i], expected));
            }
        });
    }

    @Tag("long")
    @TestFactory
    Stream<DynamicTest>
            givenProgramWithStandardLibrary_whenCompiledInAllStandards_thenItCompiles() {
        return eachVersion(clang -> {
            for (String standard : STANDARDS) {
                clang.cudaHost(folder, resource("headers.cu"), standard);
                clang.cudaPtx(folder, resource("headers.cu"), standard);
            }
        });
    }

    private static Stream<DynamicTest> eachVersion(Consumer<Clang> test) {
        return VERSIONS.stream()
                .map(version ->
                        DynamicTest.dynamicTest(
                                "clang-" + version, () -> test.accept(clang(version))));
    }

    /// Lines of the source with checks that fail.
    private static List<Integer> failedLines(PtxResult result, String kernel) {
        try (KernelBench bench = new KernelBench(Cubin.read(result.cubin().toBytes()))) {
            long failures = bench.words(new int[FAILURES]);
            bench.launch(
                    kernel, new Dimensions(1, 1, 1), new Dimensions(THREADS, 1, 1), 0, failures);
            int[] words = bench.read(failures, FAILURES);
            return Arrays.stream(words).skip(1).limit(words[0]).boxed().toList();
        }
    }

    private static double[] mathematics(PtxResult result) {
        int count = INPUTS.length;
        try (KernelBench bench = new KernelBench(Cubin.read(result.cubin().toBytes()))) {
            long inputs = bench.allocate(count * Double.BYTES);
            bench.segment(inputs).copyFrom(MemorySegment.ofArray(INPUTS));
            int bytes = FUNCTIONS.size() * count * Double.BYTES;
            long results = bench.allocate(bytes);
            Dimensions blocks = new Dimensions(count / THREADS, 1, 1);
            Dimensions threads = new Dimensions(THREADS, 1, 1);
            bench.launch("mathematics", blocks, threads, 0, inputs, results, count);
            return bench.segment(results)
                    .asSlice(0, bytes)
                    .toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED);
        }
    }

    private static PtxResult compile(String ptx) {
        return PtxCompiler.compile(ptx, PtxOptions.DEFAULT);
    }

    private static Clang clang(int version) {
        assumeTrue(
                Clang.version(version).isPresent(),
                "no clang-%d: tests/clang/setup has not installed it".formatted(version));
        return Clang.version(version).orElseThrow();
    }

    private static String resource(String name) {
        try (InputStream stream =
                CudaHeadersTest.class.getResourceAsStream("/io/gpuvm/ptx/clang/" + name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
