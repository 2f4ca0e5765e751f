package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that the matrix kernels change no memory except the result.
class MatrixBoundsTest {
    private static final int N = 17;
    private static final int TILE = 16;
    private static final int BYTES = N * N * Integer.BYTES;

    /// Length that exceeds the reach of threads beyond a matrix.
    private static final int REGION = 8 * BYTES;

    private static final byte UNTOUCHED = 0x5a;

    @ParameterizedTest
    @ValueSource(strings = {"madd", "mmul", "fmadd", "fmmul"})
    void givenMoreThreadsThanElements_whenRun_thenOnlyResultIsWritten(String name) {
        try (NativeGpu gpu = new NativeGpu("vram=64M");
                GpuContext context = gpu.openContext()) {
            GpuKernel kernel = context.load(KernelSource.assembled(name)).kernel(name);
            DeviceMemory memory = context.allocate(2 * REGION + BYTES);
            context.defaultStream().fill(memory, 0, memory.bytes(), UNTOUCHED);
            context.defaultStream()
                    .launch(
                            kernel,
                            LaunchShape.of(2, 2, TILE, TILE),
                            new Arguments()
                                    .pointer(memory)
                                    .pointer(memory)
                                    .pointer(memory, REGION)
                                    .i32(N));
            byte[] found = new byte[2 * REGION + BYTES];
            context.defaultStream().copyToHost(MemorySegment.ofArray(found), memory, 0);

            byte[] expected = found.clone();
            Arrays.fill(expected, 0, REGION, UNTOUCHED);
            Arrays.fill(expected, REGION + BYTES, expected.length, UNTOUCHED);
            assertArrayEquals(expected, found);
        }
    }
}
