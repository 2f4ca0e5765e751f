package io.gpuvm.pv.module;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.asm.Assembler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of kernels' attributes, and of the number of blocks of a multiprocessor. The expected
/// numbers of blocks are those of CUDA's occupancy calculator for compute capability 2.0.
class OccupancyTest {
    private static KernelAttributes kernel(int registers, int sharedBytes) {
        return new KernelAttributes(
                Occupancy.maxThreads(registers), sharedBytes, 0, 0, registers, 20, 20);
    }

    @ParameterizedTest
    @CsvSource({
        // registers, static and dynamic shared bytes, threads, blocks
        "20, 0, 0, 256, 6",
        "20, 0, 0, 192, 8",
        "21, 0, 0, 256, 5",
        "32, 0, 0, 256, 4",
        "33, 0, 0, 256, 3",
        "63, 0, 0, 512, 1",
        "63, 0, 0, 1024, 0",
        "16, 0, 0, 1024, 1",
        "16, 0, 0, 1, 8",
        "10, 8192, 0, 128, 6",
        "10, 8192, 1, 128, 5",
        "10, 0, 49152, 128, 1",
        "10, 1, 49152, 128, 0",
        "10, 0, 9223372036854775807, 128, 0",
        "1, 0, 0, 1536, 0",
    })
    void givenKernel_whenOccupancyIsComputed_thenBlocksAreThoseOfCalculator(
            int registers, int staticBytes, long dynamicBytes, int threads, int blocks) {
        KernelAttributes kernel = kernel(registers, staticBytes);

        assertEquals(blocks, Occupancy.blocks(kernel, threads, dynamicBytes));
    }

    @Test
    void givenKernel_whenAttributesAreRead_thenAttributesAreThoseOfFile() {
        String source =
                """
                .constant 2
                table:  .long 1, 2, 3
                .kernel some
                        .param out, 8
                        .shared tile, 100
                        .local scratch, 20
                        .registers 40
                        .stack 48, 16, 300
                        EXIT
                .end
                """;
        ModuleImage image = ModuleImage.of(Assembler.assemble("test", source));

        KernelAttributes attributes = image.kernels().getFirst().attributes();

        assertEquals(new KernelAttributes(768, 100, 12, 68, 40, 20, 20), attributes);
    }
}
