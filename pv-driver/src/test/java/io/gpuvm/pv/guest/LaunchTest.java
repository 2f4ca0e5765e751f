package io.gpuvm.pv.guest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LaunchTest {
    /// `out[i] = i + added`, for the i-th thread of a row of blocks.
    static final String NUMBER =
            """
            .kernel number
                    .param out, 8
                    .param added, 4
                    S2R R0, SR_CTAID.X
                    S2R R1, SR_TID.X
                    IMAD.U32.U32 R0, R0, c[0][8], R1
                    MOV R4, 4
                    IMUL.U32.U32.HI R5, R0, R4
                    IMAD.U32.U32 R2.CC, R0, R4, c[out]
                    IADD.X R3, R5, c[out + 4]
                    IADD R4, R0, c[added]
                    ST.E [R2], R4
                    EXIT
            .end
            """;

    private final TestContext gpu = new TestContext();

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenAKernel_whenLaunched_thenEachThreadHasStoredItsNumber() {
        GpuKernel kernel = gpu.kernel("number", NUMBER);
        DeviceMemory out = gpu.context().allocate(4 * 300);
        Arguments arguments = new Arguments().pointer(out).i32(1000);
        gpu.stream().launch(kernel, LaunchShape.of(3, 100), arguments);
        assertArrayEquals(IntStream.range(1000, 1300).toArray(), words(out));
    }

    private int[] words(DeviceMemory memory) {
        return MemorySegment.ofArray(gpu.read(memory)).toArray(ValueLayout.JAVA_INT_UNALIGNED);
    }
}
