package io.gpuvm.pv.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.ptx.PtxOptions;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of modules in PTX.
class PtxTest {
    private static final String SOURCE =
            """
            // out[i] = i * factor
            .version 3.0
            .target sm_20
            .address_size 64
            .global .u32 factor = 3;
            .visible .entry scale(.param .u64 out)
            {
                .reg .u32 %i, %f;
                .reg .u64 %at, %offset;
                mov.u32 %i, %tid.x;
                ld.global.u32 %f, [factor];
                mul.lo.u32 %f, %f, %i;
                ld.param.u64 %at, [out];
                mul.wide.u32 %offset, %i, 4;
                add.u64 %at, %at, %offset;
                st.global.u32 [%at], %f;
                ret;
            }
            """;

    private static final int FATBIN_HEADER = 16;
    private static final int ENTRY_HEADER = 64;

    private final TestContext gpu = new TestContext();

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenPtx_whenLoaded_thenKernelRunsAndVariableIsKnown() {
        GpuModule module = gpu.context().load(bytes(SOURCE));

        check(module, 3);
        DeviceMemory factor = module.variable("factor");
        gpu.stream().copyToDevice(factor, 0, MemorySegment.ofArray(new int[] {5}));
        check(module, 5);
        check(gpu.context().load(bytes(SOURCE), PtxOptions.DEFAULT.withoutOptimization()), 3);
    }

    @Test
    void givenFatbinWithPtx_whenLoaded_thenKernelRuns() {
        byte[] text = bytes(SOURCE + "\0".repeat(8 - SOURCE.length() % 8));
        ByteBuffer file =
                ByteBuffer.allocate(FATBIN_HEADER + ENTRY_HEADER + text.length)
                        .order(ByteOrder.LITTLE_ENDIAN);
        file.putInt(0xba55ed50).putShort((short) 1).putShort((short) FATBIN_HEADER);
        file.putLong(ENTRY_HEADER + text.length);
        file.putShort((short) 1).putShort((short) 0x101).putInt(ENTRY_HEADER).putLong(text.length);
        file.putInt(FATBIN_HEADER + 28, 20).put(FATBIN_HEADER + ENTRY_HEADER, text);

        check(gpu.context().load(file.array()), 3);
    }

    @Test
    void givenPtxWithErrors_whenLoaded_thenErrorNamesEach() {
        String wrong = SOURCE.replace("mul.lo", "foo").replace("%tid.x", "%tid.w2");

        GpuException e = assertThrows(GpuException.class, () -> gpu.context().load(bytes(wrong)));

        assertEquals(GpuError.INVALID_IMAGE, e.error());
        String[] lines = e.getMessage().split("\n");
        assertEquals(2, lines.length, e.getMessage());
        assertTrue(lines[0].startsWith("PTX, line 10, column 17: error: "), lines[0]);
        assertTrue(lines[1].startsWith("PTX, line 12, column 5: error: "), lines[1]);
    }

    private void check(GpuModule module, int factor) {
        final int count = 32;
        try (DeviceMemory out = gpu.context().allocate(count * Integer.BYTES)) {
            gpu.stream()
                    .launch(
                            module.kernel("scale"),
                            LaunchShape.of(1, count),
                            new Arguments().pointer(out));
            int[] result = new int[count];
            gpu.stream().copyToHost(MemorySegment.ofArray(result), out, 0);
            for (int i = 0; i < count; i++) {
                assertEquals(factor * i, result[i]);
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
