package io.gpuvm.softgpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.LinearTexture;
import io.gpuvm.gf100.classes.NumericFormat;
import io.gpuvm.gf100.classes.TexelLayout;
import io.gpuvm.softgpu.fifo.GpuProgram;
import io.gpuvm.softgpu.fifo.TestChannel;
import io.gpuvm.softgpu.fifo.TestGpu;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Textures as a driver binds them: by methods, with headers in memory.
class ComputeTextureTest {
    private static final int COMPUTE = KernelLauncher.SUBCHANNEL;
    private static final long VA = 0x5000_0000L;
    private static final int BYTES = 1 << 20;
    private static final int RESULTS = 0x3000;
    private static final int POOL = 0x4000;
    private static final int TEXELS = 0x5000;
    private static final int MORE_TEXELS = 0x6000;
    private static final int HEADERS = 8;
    private static final int HEADER_BYTES = 32;
    private static final int LANES = 32;

    /// Kernel in which thread n stores texel n of the texture in slot 5.
    private static final String FETCH =
            """
            S2R R0, SR_TID.X
            TLD.LZ.T R1, R0, 0x5, 1D, 0x1
            MOV32I R2, 0x%x
            ISCADD R2, R0, R2, 0x2
            ST [R2], R1
            EXIT
            """
                    .formatted(VA + RESULTS);

    private final TestGpu gpu = new TestGpu();
    private TestChannel channel;
    private long vram;

    @BeforeEach
    void map() {
        channel = TestChannel.running(gpu, 1);
        vram = channel.map(VA, BYTES);
        long[] code = Assembler.code("fetch", FETCH);
        for (int i = 0; i < code.length; i++) {
            gpu.word(vram + 8L * i, (int) code[i]);
            gpu.word(vram + 8L * i + 4, (int) (code[i] >>> Integer.SIZE));
        }
        for (int i = 0; i < LANES; i++) {
            gpu.word(vram + TEXELS + 4L * i, 100 + i);
            gpu.word(vram + MORE_TEXELS + 4L * i, 200 + i);
        }
        header(3, TEXELS, 20);
        header(4, MORE_TEXELS, LANES);
    }

    @AfterEach
    void close() {
        gpu.close();
    }

    private void header(int number, int offset, int texels) {
        int[] words =
                LinearTexture.of(TexelLayout.R32, NumericFormat.UINT, VA + offset, texels).words();
        for (int i = 0; i < words.length; i++) {
            gpu.word(vram + POOL + (long) number * HEADER_BYTES + 4L * i, words[i]);
        }
    }

    private static GpuProgram program() {
        return new GpuProgram()
                .bind(COMPUTE, ClassId.COMPUTE)
                .methods(
                        COMPUTE,
                        ComputeClass.TEXTURES_ADDRESS_HIGH,
                        0,
                        (int) VA + POOL,
                        HEADERS - 1);
    }

    private static int bind(int slot, int header) {
        return ComputeClass.BIND_TEXTURE_VALID.mask()
                | ComputeClass.BIND_TEXTURE_SLOT.of(slot)
                | ComputeClass.BIND_TEXTURE_HEADER.of(header);
    }

    private static GpuProgram launch(GpuProgram program) {
        return new KernelLauncher(VA).append(program);
    }

    private void run(GpuProgram program) {
        channel.submit(program);
        gpu.run();
        assertEquals(0, gpu.graphTrap.interrupts());
    }

    private void assertResults(int first, int count) {
        for (int i = 0; i < LANES; i++) {
            assertEquals(i < count ? first + i : 0, gpu.word(vram + RESULTS + 4L * i));
        }
    }

    @Test
    void givenBoundTexture_whenKernelFetches_thenTexelsAreReturned() {
        run(launch(program().methods(COMPUTE, ComputeClass.BIND_TEXTURE, bind(5, 3))));
        assertResults(100, 20);
    }

    @Test
    void givenReboundSlots_whenLaunched_thenEachLaunchHasOwnTextures() {
        run(launch(program().methods(COMPUTE, ComputeClass.BIND_TEXTURE, bind(5, 3))));
        run(
                launch(
                        program()
                                .methods(COMPUTE, ComputeClass.BIND_TEXTURE, bind(5, 4))
                                .methods(COMPUTE, ComputeClass.BIND_TEXTURE, bind(6, 3))));
        assertResults(200, LANES);
        int unbind = ComputeClass.BIND_TEXTURE_SLOT.of(5);
        run(launch(program().methods(COMPUTE, ComputeClass.BIND_TEXTURE, unbind)));
        assertResults(0, 0);
    }

    @Test
    void givenChangedHeader_whenLaunchedAgain_thenNewHeaderApplies() {
        run(launch(program().methods(COMPUTE, ComputeClass.BIND_TEXTURE, bind(5, 3))));
        header(3, MORE_TEXELS, 7);
        run(launch(program().methods(COMPUTE, ComputeClass.TEXTURE_FLUSH, 0)));
        assertResults(200, 7);
    }

    @Test
    void givenHeaderOutsidePool_whenFetched_thenZerosAreReturned() {
        int none = ComputeClass.BIND_TEXTURE_HEADER.get(-1);
        run(launch(program().methods(COMPUTE, ComputeClass.BIND_TEXTURE, bind(5, none))));
        assertResults(0, 0);
    }
}
