package io.gpuvm.softgpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.classes.BlockLinear;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ColorFormat;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.TwodClass;
import io.gpuvm.softgpu.fifo.GpuProgram;
import io.gpuvm.softgpu.fifo.TestChannel;
import io.gpuvm.softgpu.fifo.TestGpu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// 2D blits, compared with arrays and with pixels given as bytes.
class BlitTest {
    private static final int SUB = 2;
    private static final long SOURCE = 0x5000_0000L;
    private static final long TARGET = 0x5100_0000L;
    private static final int BYTES = 1 << 16;
    private static final int PITCH = 1024;

    private final TestGpu gpu = new TestGpu();
    private TestChannel channel;
    private long sourceVram;
    private long targetVram;

    @BeforeEach
    void makeChannel() {
        channel = TestChannel.running(gpu, 1);
        sourceVram = channel.map(SOURCE, BYTES);
        targetVram = channel.map(TARGET, BYTES);
    }

    @AfterEach
    void close() {
        gpu.close();
    }

    private static GpuProgram linear(
            GpuProgram program, int side, ColorFormat format, long gpuVa, int width, int height) {
        return program.methods(SUB, side + TwodClass.FORMAT, format.code(), 1)
                .methods(SUB, side + TwodClass.PITCH, PITCH, width, height, 0, (int) gpuVa);
    }

    private static GpuProgram program() {
        return new GpuProgram()
                .bind(SUB, ClassId.TWOD)
                .methods(SUB, TwodClass.OPERATION, TwodClass.OPERATION_COPY);
    }

    /// Appends the blit of a rectangle, without scaling.
    private static GpuProgram blit(GpuProgram program, int x, int y, int width, int height) {
        return program.methods(SUB, TwodClass.BLIT_CONTROL, 0)
                .methods(SUB, TwodClass.BLIT_TARGET_X, x, y, width, height, 0, 1, 0, 1)
                .methods(SUB, TwodClass.BLIT_SOURCE_X_FRACTION, 0, 0, 0, 0);
    }

    private void run(GpuProgram program) {
        channel.submit(program);
        gpu.run();
        assertEquals(0, gpu.graphTrap.interrupts());
    }

    private void put(String bytes) {
        byte[] pixels = HexFormat.of().parseHex(bytes);
        gpu.slice(sourceVram, pixels.length).copyFrom(MemorySegment.ofArray(pixels));
    }

    private String pixel(int bytes) {
        return HexFormat.of()
                .formatHex(gpu.slice(targetVram, bytes).toArray(ValueLayout.JAVA_BYTE));
    }

    @ParameterizedTest
    @CsvSource({
        "B5G6R5_UNORM, 00f8, RGBA8_UNORM, ff0000ff",
        "B5G6R5_UNORM, e007, BGRA8_UNORM, 00ff00ff",
        "BGR5_A1_UNORM, 1f00, RGBA8_UNORM, 0000ff00",
        "RGBA8_UNORM, ff8000ff, BGRA8_UNORM, 0080ffff",
        "RGBA8_UNORM, ff0000ff, B5G6R5_UNORM, 00f8",
        "R8_UNORM, 80, RGBA8_UNORM, 800000ff",
        "RG16_FLOAT, 003c00c0, RGBA32_FLOAT, 0000803f000000c0000000000000803f",
        "RGBA32_FLOAT, 0000803f0000004000000000000000bf, RGBA16_FLOAT, 003c0040000000b8",
        "R11G11B10_FLOAT, c0032070, RGBA32_FLOAT, 0000803f000000400000003f0000803f",
        "RGBA8_SNORM, 7f810040, RGBA32_FLOAT, 0000803f000080bf000000000402013f",
        "RGBA8_SRGB, ff00bcff, RGBA8_UNORM, ff0080ff",
        "RGBA8_UINT, 0102ff80, RGBA32_UINT, 0100000002000000ff00000080000000",
        "RGBA8_SINT, 0102ff80, RGBA32_SINT, 0100000002000000ffffffff80ffffff",
        "RGBX8_UNORM, 01020304, RGBX8_UNORM, 01020304",
        "RGBA32_UINT, 0102030405060708090a0b0c0d0e0f10, RGBA32_UINT,"
                + " 0102030405060708090a0b0c0d0e0f10",
    })
    void givenTwoFormats_whenPixelIsCopied_thenPixelIsConverted(
            ColorFormat from, String source, ColorFormat to, String target) {
        put(source);
        GpuProgram program = linear(program(), TwodClass.SOURCE, from, SOURCE, 16, 16);
        run(blit(linear(program, TwodClass.TARGET, to, TARGET, 16, 16), 0, 0, 1, 1));
        assertEquals(target, pixel(target.length() / 2));
        assertEquals(1, gpu.count(WorkCounter.BLITS));
    }

    @Test
    void givenFactors_whenMultipliedCopyRuns_thenEachComponentHasOwnFactor() {
        put("ff804020");
        GpuProgram program = program();
        linear(program, TwodClass.SOURCE, ColorFormat.RGBA8_UNORM, SOURCE, 16, 16);
        linear(program, TwodClass.TARGET, ColorFormat.RGBA8_UNORM, TARGET, 16, 16);
        program.methods(SUB, TwodClass.BETA4, 0xffff0000, TwodClass.OPERATION_COPY_MULTIPLIED);
        run(blit(program, 0, 0, 1, 1));
        assertEquals("ff000020", pixel(4));
    }

    @Test
    void givenRandomRectangles_whenCopied_thenTargetEqualsModel() {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            byte[] source = new byte[BYTES];
            byte[] model = new byte[BYTES];
            random.nextBytes(source);
            random.nextBytes(model);
            gpu.slice(sourceVram, BYTES).copyFrom(MemorySegment.ofArray(source));
            gpu.slice(targetVram, BYTES).copyFrom(MemorySegment.ofArray(model));
            boolean tiled = random.nextBoolean();
            int mode = BlockLinear.mode(random.nextInt(3), 0);
            int width = 1 + random.nextInt(120);
            int height = 1 + random.nextInt(60);
            int x = random.nextInt(40) - 20;
            int y = random.nextInt(40) - 20;
            int clipX = random.nextInt(30);
            int clipWidth = random.nextInt(80);
            int stepX = random.nextBoolean() ? 1 : -1;
            int startX = stepX > 0 ? random.nextInt(10) : 100;
            int stepY = random.nextInt(1, 4);
            GpuProgram program = program();
            linear(program, TwodClass.SOURCE, ColorFormat.RG8_UINT, SOURCE, 128, 60);
            linear(program, TwodClass.TARGET, ColorFormat.RG8_UINT, TARGET, 128, 60);
            if (tiled) {
                program.methods(SUB, TwodClass.SOURCE + TwodClass.LINEAR, 0, mode);
            }
            program.methods(SUB, TwodClass.CLIP_X, clipX, 0, clipWidth, 60, 1)
                    .methods(SUB, TwodClass.BLIT_TARGET_X, x, y, width, height)
                    .methods(SUB, TwodClass.BLIT_STEP_X_FRACTION, 0, stepX, 0, stepY)
                    .methods(SUB, TwodClass.BLIT_SOURCE_X_FRACTION, 0, startX, 1 << 31, 2);
            run(program);
            BlockLinear layout = new BlockLinear().describe(mode, 256, 60);
            for (int j = Math.max(y, 0); j < Math.min(y + height, 60); j++) {
                for (int i = Math.max(x, clipX);
                        i < Math.min(x + width, Math.min(128, clipX + clipWidth));
                        i++) {
                    int sx = Math.clamp(startX + (long) stepX * (i - x), 0, 127);
                    int sy = Math.clamp(2 + (long) stepY * (j - y), 0, 59);
                    int from = tiled ? (int) layout.offset(sx * 2L, sy, 0) : sy * PITCH + sx * 2;
                    int to = j * PITCH + i * 2;
                    model[to] = source[from];
                    model[to + 1] = source[from + 1];
                }
            }
            byte[] actual = gpu.slice(targetVram, BYTES).toArray(ValueLayout.JAVA_BYTE);
            assertEquals(-1, java.util.Arrays.mismatch(model, actual), "seed=" + seed);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // method, data: unsupported
        "684, 4", // OPERATION
        "668, 1", // COLOR_KEY_ENABLE
        "560, 28", // SOURCE + FORMAT
        "548, 8", // TARGET + ADDRESS_LOW
        "560, 217", // integers to fractions
    })
    void givenUnsupportedMethodData_whenBlitStarts_thenTargetIsUnchangedAndBlitIsCounted(
            int method, int data) {
        GpuProgram program = program();
        linear(program, TwodClass.SOURCE, ColorFormat.RGBA8_UNORM, SOURCE, 16, 16);
        linear(program, TwodClass.TARGET, ColorFormat.RGBA8_UNORM, TARGET, 16, 16);
        program.methods(SUB, method, data);
        run(blit(program, 0, 0, 16, 16));
        assertEquals(1, gpu.count(WorkCounter.BLITS_LEFT_OUT));
        assertEquals(0, gpu.word(targetVram));
    }

    @Test
    void givenBilinearFilterBetweenPixels_whenBlitStarts_thenBlitIsLeftOut() {
        GpuProgram program = program();
        linear(program, TwodClass.SOURCE, ColorFormat.RGBA8_UNORM, SOURCE, 16, 16);
        linear(program, TwodClass.TARGET, ColorFormat.RGBA8_UNORM, TARGET, 16, 16);
        program.methods(SUB, TwodClass.BLIT_CONTROL, TwodClass.BLIT_CONTROL_BILINEAR.of(1))
                .methods(SUB, TwodClass.BLIT_TARGET_X, 0, 0, 16, 16, 1 << 31, 0, 0, 1)
                .methods(SUB, TwodClass.BLIT_SOURCE_X_FRACTION, 0, 0, 0, 0);
        run(program);
        assertEquals(1, gpu.count(WorkCounter.BLITS_LEFT_OUT));
    }

    @Test
    void givenExcessiveSize_whenSet_thenMethodIsRefused() {
        channel.submit(
                program().methods(SUB, TwodClass.TARGET + TwodClass.WIDTH, TwodClass.MAX_SIZE + 1));
        gpu.run();
        assertEquals(GraphError.INTR_DATA_ERROR.mask(), gpu.graphTrap.interrupts());
        assertEquals(GraphError.CODE_INVALID_VALUE, gpu.graphTrap.code());
    }

    @Test
    void givenLongBlit_whenRun_thenWholeTargetIsWritten() {
        gpu.slice(sourceVram, BYTES).fill((byte) 7);
        GpuProgram program = program();
        linear(program, TwodClass.SOURCE, ColorFormat.R8_UINT, SOURCE, 1024, 64);
        linear(program, TwodClass.TARGET, ColorFormat.R8_UINT, TARGET, 1024, 64);
        run(blit(program, 0, 0, 1024, 64));
        assertEquals(0x07070707, gpu.word(targetVram + BYTES - 4));
        assertEquals(0x07070707, gpu.word(targetVram + BYTES / 2));
    }
}
