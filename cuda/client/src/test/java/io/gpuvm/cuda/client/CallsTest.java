package io.gpuvm.cuda.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the calls' meaning (`src/calls`) with a model of the transport, which executes all
/// calls but kernels, and checks that they obey the protocol. Programs in `src/test/c` contain the
/// cases; most of them also run with the whole library on a backend, in another module.
class CallsTest {
    private static final List<String> LIBRARY =
            List.of("checks.c", "model.c", "api.c", "api_model.c");

    private static final List<String> PROGRAMS =
            List.of(
                    "contexts_test.c",
                    "memory_test.c",
                    "copies_test.c",
                    "streams_test.c",
                    "modules_test.c",
                    "launches_test.c",
                    "threads_test.c",
                    "failures_test.c",
                    "misuse_test.c",
                    "twins_test.c",
                    "parts_test.c");

    /// Programs with several threads.
    private static final List<String> PROGRAMS_WITH_THREADS =
            List.of("contexts_test.c", "streams_test.c", "threads_test.c");

    @TempDir private Path folder;

    /// Program that replaces the allocator, as the sanitizers do.
    private static final String ALLOCATIONS = "allocations_test.c";

    @Tag("long")
    @TestFactory
    Stream<DynamicTest> givenModel_whenCaseRuns_thenChecksSucceed() throws Exception {
        return cases(Sanitizer.NONE, PROGRAMS);
    }

    @TestFactory
    Stream<DynamicTest> givenCountingAllocator_whenFrequentCallsRun_thenTheyAllocateNothing()
            throws Exception {
        return cases(Sanitizer.NONE, List.of(ALLOCATIONS));
    }

    @TestFactory
    Stream<DynamicTest> givenAddressSanitizer_whenCaseRuns_thenChecksSucceed() throws Exception {
        return cases(Sanitizer.ADDRESS, PROGRAMS);
    }

    @Tag("long")
    @TestFactory
    Stream<DynamicTest> givenThreadSanitizer_whenCaseRuns_thenChecksSucceed() throws Exception {
        return cases(Sanitizer.THREAD, PROGRAMS_WITH_THREADS);
    }

    private Stream<DynamicTest> cases(Sanitizer sanitizer, List<String> sources)
            throws IOException, InterruptedException {
        Path library = TestProgram.compileCalls(folder, sanitizer, LIBRARY);
        List<DynamicTest> tests = new ArrayList<>();
        for (String source : sources) {
            Path own = Files.createDirectory(folder.resolve(source.replace(".c", "")));
            TestProgram program = TestProgram.link(own, sanitizer, library, source);
            for (String name : program.lines()) {
                String title = own.getFileName() + " " + name;
                tests.add(DynamicTest.dynamicTest(title, () -> program.check(name)));
            }
        }
        return tests.stream();
    }
}
