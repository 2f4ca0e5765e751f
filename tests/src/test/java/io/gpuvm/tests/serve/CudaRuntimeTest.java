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

/// Tests of the CUDA runtime API: programs in C use `libcudart.so` on `libcuda.so.1` and a backend
/// with a software GPU, and on a driver library without a device. The programs in
/// `cuda/runtime/src/test/c` contain the cases, each in a process of its own.
@Tag("commands")
class CudaRuntimeTest {
    private static final List<String> PROGRAMS = List.of("runtime_test", "errors_test");
    private static final List<String> ADDRESS_SANITIZER =
            List.of("-fsanitize=address,undefined", "-fno-sanitize-recover=all");
    private static final List<String> THREAD_SANITIZER = List.of("-fsanitize=thread");

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand command = new GpuvmCommand("serve");

    @TestFactory
    Stream<DynamicTest> givenBackend_whenProgramUsesRuntimeApi_thenCallsHaveTheirEffects()
            throws Exception {
        return onBackend(CudaLibrary.ofThisBuild(folder));
    }

    @Tag("long")
    @TestFactory
    Stream<DynamicTest> givenAddressSanitizer_whenProgramUsesRuntimeApi_thenNoErrorOccurs()
            throws Exception {
        CudaLibrary library = CudaLibrary.build(folder, ADDRESS_SANITIZER);
        library.addRuntime();
        return onBackend(library);
    }

    @TestFactory
    Stream<DynamicTest> givenAddressSanitizer_whenPartsAreTested_thenChecksSucceed()
            throws Exception {
        return ofParts(ADDRESS_SANITIZER);
    }

    @Tag("long")
    @TestFactory
    Stream<DynamicTest> givenThreadSanitizer_whenPartsAreTested_thenNoRaceOccurs()
            throws Exception {
        return ofParts(THREAD_SANITIZER);
    }

    private Stream<DynamicTest> ofParts(List<String> options)
            throws IOException, InterruptedException {
        CudaLibrary library = CudaLibrary.ofRuntimeParts(folder, options);
        return cases(library, "", folder.resolve("parts_test")).stream();
    }

    private Stream<DynamicTest> onBackend(CudaLibrary library)
            throws IOException, InterruptedException {
        Path socket = folder.resolve("cuda.sock");
        Process serve = command.start("--vm", "cuda,mode=cuda,socket=" + socket);
        assertEquals("ready", serve.inputReader().readLine());
        List<DynamicTest> tests = new ArrayList<>();
        for (String name : PROGRAMS) {
            tests.addAll(cases(library, "unix:" + socket, library.runtimeProgram(name)));
        }
        return tests.stream();
    }

    private static List<DynamicTest> cases(CudaLibrary library, String device, Path program)
            throws IOException, InterruptedException {
        List<DynamicTest> tests = new ArrayList<>();
        for (String test : library.cases(program)) {
            String title = program.getFileName() + " " + test;
            tests.add(DynamicTest.dynamicTest(title, () -> library.check(device, program, test)));
        }
        return tests;
    }
}
