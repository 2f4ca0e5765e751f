package io.gpuvm.cuda.client;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the library's transport (`src/core`) with a backend without a GPU, in C:
/// `src/test/c/core_test.c` contains the cases.
class CoreTest {
    private static final List<String> SOURCES =
            List.of("checks.c", "fake_backend.c", "fake_meaning.c", "core_test.c");

    @TempDir private Path folder;

    @Tag("long")
    @TestFactory
    Stream<DynamicTest> givenBackendWithoutGpu_whenCaseRuns_thenChecksSucceed() throws Exception {
        return cases(Sanitizer.NONE);
    }

    @TestFactory
    Stream<DynamicTest> givenAddressSanitizer_whenCaseRuns_thenChecksSucceed() throws Exception {
        return cases(Sanitizer.ADDRESS);
    }

    @Tag("long")
    @TestFactory
    Stream<DynamicTest> givenThreadSanitizer_whenCaseRuns_thenChecksSucceed() throws Exception {
        return cases(Sanitizer.THREAD);
    }

    private Stream<DynamicTest> cases(Sanitizer sanitizer) throws Exception {
        TestProgram program = TestProgram.compile(folder, sanitizer, List.of(), SOURCES);
        return program.cases().stream()
                .map(name -> DynamicTest.dynamicTest(name, () -> program.check(name)));
    }
}
