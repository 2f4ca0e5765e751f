package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Test of CUDA programs whose backend is killed: `lost_test.c` in `cuda/client/src/test/c`.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Tag("commands")
class CudaBackendLossTest {
    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand command = new GpuvmCommand("serve");

    @TestFactory
    Stream<DynamicTest> givenCudaProgram_whenBackendIsKilled_thenItsCallsReturnError()
            throws Exception {
        CudaLibrary library = CudaLibrary.build(folder, List.of());
        Path program = library.program("lost_test");
        return library.cases(program).stream()
                .map(name -> DynamicTest.dynamicTest(name, () -> check(library, program, name)));
    }

    private void check(CudaLibrary library, Path program, String name)
            throws IOException, InterruptedException {
        Path socket = folder.resolve(name + ".sock");
        Process serve =
                command.start("--gpu", "soft,vram=64M", "--vm", "vm,mode=cuda,socket=" + socket);
        try (BufferedReader backend = serve.inputReader()) {
            assertEquals("ready", backend.readLine());
            Process client = library.start("unix:" + socket, program, name);
            try (BufferedReader lines = client.inputReader()) {
                assertEquals("ready", lines.readLine());
                serve.destroyForcibly();
                assertEquals(0, client.waitFor());
            } finally {
                client.destroyForcibly();
            }
        }
    }
}
