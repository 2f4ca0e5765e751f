package io.gpuvm.cuda.client;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the library's sessions of PCI functions, with files in place of registers and areas:
/// `src/test/c/pci_test.c` contains the cases.
class PciFunctionTest {
    private static final List<String> SOURCES =
            List.of("checks.c", "fake_backend.c", "fake_meaning.c", "pci_test.c");

    @TempDir private Path folder;

    @TestFactory
    Stream<DynamicTest> givenPciFunction_whenCaseRuns_thenChecksSucceed() throws Exception {
        List<String> options =
                List.of(
                        "-include",
                        TestProgram.TESTS.resolve("pci_registers.h").toString(),
                        "-DGPUVM_PCI_DEVICES=\"%s\"".formatted(folder.resolve("devices")));
        TestProgram program = TestProgram.compile(folder, Sanitizer.ADDRESS, options, SOURCES);
        return program.cases().stream()
                .map(name -> DynamicTest.dynamicTest(name, () -> program.check(name)));
    }
}
