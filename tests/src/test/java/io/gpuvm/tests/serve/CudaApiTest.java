package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the CUDA driver API: programs in C use `libcuda.so.1` on a backend with a software GPU,
/// each in a process of its own. The programs in `cuda/client/src/test/c` contain the cases, by
/// topic.
@Tag("commands")
class CudaApiTest {
    private static final List<String> PROGRAMS =
            List.of(
                    "contexts_test",
                    "memory_test",
                    "copies_test",
                    "streams_test",
                    "modules_test",
                    "launches_test",
                    "misuse_test",
                    "threads_test",
                    "allocations_test");

    /// ThreadSanitizer does not know fences; the races that they prevent are on atomic variables.
    private static final List<String> THREAD_SANITIZER = List.of("-fsanitize=thread", "-Wno-tsan");

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand command = new GpuvmCommand("serve");

    @TestFactory
    Stream<DynamicTest> givenBackend_whenProgramUsesDriverApi_thenCallsHaveTheirEffects()
            throws Exception {
        return cases(List.of(), PROGRAMS);
    }

    @Tag("long")
    @TestFactory
    Stream<DynamicTest> givenThreadSanitizer_whenThreadsUseDriverApi_thenNoRaceOccurs()
            throws Exception {
        return cases(THREAD_SANITIZER, List.of("streams_test", "threads_test"));
    }

    private Stream<DynamicTest> cases(List<String> options, List<String> programs)
            throws IOException, InterruptedException {
        CudaLibrary library = CudaLibrary.build(folder, options);
        Path socket = folder.resolve("cuda.sock");
        Process serve = command.start("--vm", "cuda,mode=cuda,socket=" + socket);
        assertEquals("ready", serve.inputReader().readLine());
        List<DynamicTest> tests = new ArrayList<>();
        for (String name : programs) {
            Path program = library.program(name);
            for (String test : library.cases(program)) {
                tests.add(
                        DynamicTest.dynamicTest(
                                name + " " + test,
                                () -> library.check("unix:" + socket, program, test)));
            }
        }
        return tests.stream();
    }
}
