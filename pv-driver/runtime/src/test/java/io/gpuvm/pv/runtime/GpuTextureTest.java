package io.gpuvm.pv.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.gf100.asm.Assembler;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Tests of textures, from the binding of memory to the kernels' reads.
class GpuTextureTest {
    private static final int THREADS = 64;

    /// Kernel that stores `vector[i]`, and kernel that stores the sum of both components of
    /// `vector[i]` and of `other[i]`. The kernels use `vector` in different slots.
    private static final String GATHER =
            """
            .kernel first
                    .texture vector, 3
                    .param out, 8
                    S2R R0, SR_TID.X
                    TLD.LZ.T R4, R0, vector, 1D, 0x1
                    ISCADD R2.CC, R0, c[out], 2
                    IADD.X R3, RZ, c[out + 4]
                    ST.E [R2], R4
                    EXIT
            .end

            .kernel both
                    .texture other, 0
                    .texture vector, 127
                    .param out, 8
                    S2R R0, SR_TID.X
                    TLD.LZ.T R4, R0, vector, 1D, 0x3
                    TLD.LZ.P R6, R0, other, 1D, 0x1
                    IADD R4, R4, R5
                    IADD R4, R4, R6
                    ISCADD R2.CC, R0, c[out], 2
                    IADD.X R3, RZ, c[out + 4]
                    ST.E [R2], R4
                    EXIT
            .end
            """;

    private final TestContext gpu = new TestContext();
    private GpuModule module;
    private DeviceMemory out;

    @BeforeEach
    void load() {
        module = gpu.context().load(Assembler.assemble("gather", GATHER).toBytes());
        out = gpu.context().allocate(THREADS * Integer.BYTES);
    }

    @AfterEach
    void close() {
        gpu.close();
    }

    private DeviceMemory words(int from, int count) {
        byte[] bytes = new byte[count * Integer.BYTES];
        MemorySegment.ofArray(bytes)
                .copyFrom(MemorySegment.ofArray(IntStream.range(from, from + count).toArray()));
        return gpu.with(bytes);
    }

    private void launch(GpuStream stream, String kernel) {
        stream.launch(
                module.kernel(kernel), LaunchShape.of(1, THREADS), new Arguments().pointer(out));
    }

    private int[] run(String kernel) {
        launch(gpu.stream(), kernel);
        return MemorySegment.ofArray(gpu.read(out)).toArray(ValueLayout.JAVA_INT_UNALIGNED);
    }

    private static int[] range(int from, int count) {
        return Arrays.copyOf(IntStream.range(from, from + count).toArray(), THREADS);
    }

    @Test
    void givenBoundMemory_whenLaunched_thenTexelsBeyondEndAreZero() {
        module.texture("vector").bind(words(100, 40), TexelFormat.U32, 1);
        assertArrayEquals(range(100, 40), run("first"));
    }

    @Test
    void givenTexture_whenReboundBetweenLaunches_thenEachLaunchReadsBoundMemory() {
        DeviceMemory one = words(100, THREADS);
        DeviceMemory other = words(500, THREADS);
        for (int i = 0; i < 20; i++) {
            module.texture("vector").bind(i % 2 == 0 ? one : other, TexelFormat.U32, 1);
            assertArrayEquals(range(i % 2 == 0 ? 100 : 500, THREADS), run("first"));
            assertArrayEquals(range(i % 2 == 0 ? 100 : 500, THREADS), run("first"));
        }
    }

    @Test
    void givenTextureInDifferentSlots_whenBothKernelsAreLaunched_thenBothKernelsReadTexture() {
        module.texture("vector").bind(words(0, THREADS), TexelFormat.U16, 2);
        module.texture("other").bind(words(1000, THREADS), TexelFormat.S32, 1);
        // The upper halves of such small numbers are 0.
        assertArrayEquals(
                IntStream.range(0, THREADS).map(i -> 1000 + 2 * i).toArray(), run("both"));
        assertArrayEquals(range(0, THREADS), run("first"));
        assertArrayEquals(
                IntStream.range(0, THREADS).map(i -> 1000 + 2 * i).toArray(), run("both"));
    }

    @Test
    void givenBoundTexture_whenKernelIsLaunchedOnAnotherStream_thenKernelReadsTexture() {
        module.texture("vector").bind(words(7, THREADS), TexelFormat.U32, 1);
        run("first");
        try (GpuStream stream = gpu.context().newStream()) {
            gpu.stream().fill(out, 0, out.bytes(), 0);
            gpu.stream().synchronize();
            launch(stream, "first");
            stream.synchronize();
        }
        int[] found = MemorySegment.ofArray(gpu.read(out)).toArray(ValueLayout.JAVA_INT_UNALIGNED);
        assertArrayEquals(range(7, THREADS), found);
    }

    @Test
    void givenConvertedFormats_whenLaunched_thenKernelReceivesFloats() {
        byte[] bytes = new byte[THREADS];
        for (int i = 0; i < THREADS; i++) {
            bytes[i] = (byte) (i * 4);
        }
        module.texture("vector").bind(gpu.with(bytes), TexelFormat.UNORM8, 1);
        int[] expected =
                IntStream.range(0, THREADS)
                        .map(i -> Float.floatToRawIntBits((float) (i * 4 / 255.0)))
                        .toArray();
        assertArrayEquals(expected, run("first"));
    }

    @Test
    void givenWrongTextures_whenBoundOrLaunched_thenErrorNamesTexture() {
        GpuTexture vector = module.texture("vector");
        DeviceMemory memory = words(0, THREADS);
        assertRefused(
                GpuError.INVALID_VALUE,
                "texture vector: binding=none, expected memory",
                () -> launch(gpu.stream(), "first"));
        assertRefused(
                GpuError.NOT_FOUND,
                "texture=vektor, expected one of [vector, other]",
                () -> module.texture("vektor"));
        assertRefused(
                GpuError.INVALID_VALUE,
                "texture vector: channels=3, expected 1, 2 or 4",
                () -> vector.bind(memory, TexelFormat.F32, 3));
        vector.bind(memory, TexelFormat.F32, 1);
        launch(gpu.stream(), "first");
        memory.close();
        GpuException freed = assertThrows(GpuException.class, () -> launch(gpu.stream(), "first"));
        assertEquals(GpuError.INVALID_HANDLE, freed.error());
        assertThrows(GpuException.class, () -> vector.bind(memory, TexelFormat.F32, 1));
        vector.bind(words(9, THREADS), TexelFormat.U32, 1);
        assertArrayEquals(range(9, THREADS), run("first"));
        vector.unbind();
        assertThrows(GpuException.class, () -> launch(gpu.stream(), "first"));
        try (TestContext elsewhere = new TestContext()) {
            DeviceMemory theirs = elsewhere.context().allocate(64);
            assertThrows(GpuException.class, () -> vector.bind(theirs, TexelFormat.F32, 1));
        }
    }

    @Test
    void givenOptionalTexture_whenNoMemoryIsBound_thenTexelsAreZero() {
        GpuTexture vector = module.texture("vector");
        vector.makeOptional();
        int[] zeros = new int[THREADS];
        assertArrayEquals(zeros, run("first"));
        DeviceMemory memory = words(9, THREADS);
        vector.bind(memory, TexelFormat.U32, 1);
        assertArrayEquals(range(9, THREADS), run("first"));
        memory.close();
        assertArrayEquals(zeros, run("first"));
        vector.bind(words(8, THREADS), TexelFormat.U32, 1);
        assertArrayEquals(range(8, THREADS), run("first"));
        vector.unbind();
        assertArrayEquals(zeros, run("first"));
    }

    private static void assertRefused(GpuError error, String message, Executable call) {
        GpuException refused = assertThrows(GpuException.class, call);
        assertEquals(error, refused.error());
        assertEquals(message, refused.getMessage());
    }
}
