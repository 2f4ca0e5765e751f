package io.gpuvm.softgpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.BlockLinear;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ColorFormat;
import io.gpuvm.gf100.classes.PixelLayout;
import io.gpuvm.gf100.classes.PixelLayout.Channel;
import io.gpuvm.gf100.classes.ThreedClass;
import io.gpuvm.gf100.classes.ZetaFormat;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.softgpu.fifo.GpuProgram;
import io.gpuvm.softgpu.fifo.TestChannel;
import io.gpuvm.softgpu.fifo.TestGpu;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clears of render targets, depth and stencil, compared with an array of bytes.
class ClearTest {
    private static final int SUB = 0;
    private static final long VA = 0x5000_0000L;
    private static final int BYTES = 1 << 20;
    private static final byte OLD = 0x3c;
    private static final int ALL_COLORS = ThreedClass.CLEAR_BUFFERS_COLOR.mask();
    private static final int LINEAR = ThreedClass.TILE_MODE_LINEAR.of(1);

    private final TestGpu gpu = new TestGpu();
    private final byte[] model = new byte[BYTES];
    private TestChannel channel;
    private long vram;

    @BeforeEach
    void fillMemory() {
        channel = TestChannel.running(gpu, 1);
        vram = channel.map(VA, BYTES);
        gpu.slice(vram, BYTES).fill(OLD);
        Arrays.fill(model, OLD);
    }

    @AfterEach
    void close() {
        gpu.close();
    }

    private GpuProgram program() {
        return new GpuProgram()
                .bind(SUB, ClassId.THREED)
                .methods(SUB, ThreedClass.SCREEN_SCISSOR_HORIZONTAL, 16384 << 16, 16384 << 16);
    }

    private GpuProgram target(
            GpuProgram program, int index, ColorFormat format, int width, int height, int mode) {
        return program.methods(
                SUB,
                ThreedClass.rt(index, ThreedClass.RT_ADDRESS_HIGH),
                0,
                (int) VA,
                width,
                height,
                format.code(),
                mode,
                1,
                0,
                0);
    }

    private static GpuProgram color(GpuProgram program, float... channels) {
        int[] words = new int[channels.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = Float.floatToRawIntBits(channels[i]);
        }
        return program.methods(SUB, ThreedClass.CLEAR_COLOR, words);
    }

    private void run(GpuProgram program) {
        channel.submit(program);
        gpu.run();
        assertEquals(0, gpu.read(Pfifo.VM_FAULT_SOURCE));
        assertEquals(0, gpu.count(WorkCounter.CLASS_ERRORS));
    }

    private void assertMemory(String where) {
        byte[] actual = gpu.slice(vram, BYTES).toArray(ValueLayout.JAVA_BYTE);
        assertEquals(-1, Arrays.mismatch(model, actual), where);
    }

    private String bytesAt(long offset, int count) {
        return HexFormat.of()
                .formatHex(gpu.slice(vram + offset, count).toArray(ValueLayout.JAVA_BYTE));
    }

    @ParameterizedTest
    @CsvSource({
        "RGBA8_UNORM, 0.2, 1.5, -1, 0.6, 33ff0099",
        "BGRA8_UNORM, 0.2, 1.5, -1, 0.6, 00ff3399",
        "RGBA8_SNORM, 1, -1, 0.5, -2, 7f814081",
        "RGBA8_SRGB, 0, 1, 0.5, 0.5, 00ffbc80",
        "B5G6R5_UNORM, 1, 0, 0, 0, 00f8",
        "BGR5_A1_UNORM, 0, 1, 0, 1, e083",
        "RGB10_A2_UNORM, 1, 0, 1, 0, ff03f03f",
        "BGR10_A2_UNORM, 1, 0, 0, 1, 0000f0ff",
        "RG16_FLOAT, 1, -2, 0, 0, 003c00c0",
        "RGBA16_FLOAT, 0.5, 65504, 70000, 0, 0038ff7b007c0000",
        "R11G11B10_FLOAT, 1, 2, 0.5, 0, c0032070",
        "RG32_FLOAT, 1, -2, 0, 0, 0000803f000000c0",
        "RGBA32_FLOAT, 1, 2, 4, 8, 0000803f000000400000804000000041",
        "R8_UNORM, 1, 0, 0, 0, ff",
        "A8_UNORM, 0, 0, 0, 1, ff",
        "RG8_UNORM, 1, 0, 0, 0, ff00",
        "R16_SNORM, -1, 0, 0, 0, 0180",
        "RGBX8_UNORM, 1, 1, 0, 1, ffff0000",
    })
    void givenFloats_whenTargetIsCleared_thenValuesAreEncodedInFormat(
            ColorFormat format, float r, float g, float b, float a, String bytes) {
        GpuProgram program = target(program(), 0, format, 64, 64, BlockLinear.mode(1, 0));
        run(color(program, r, g, b, a).methods(SUB, ThreedClass.CLEAR_BUFFERS, ALL_COLORS));
        String pixels = bytes.repeat(16 / (bytes.length() / 2));
        assertEquals(pixels, bytesAt(0, 16));
        int all = 64 * 64 * bytes.length() / 2;
        assertEquals(pixels, bytesAt(all - 16, 16));
        assertEquals(HexFormat.of().formatHex(new byte[] {OLD}), bytesAt(all, 1));
    }

    @ParameterizedTest
    @CsvSource({
        "RGBA8_UINT, 1, 255, 300, -1, 01ffffff",
        "RGBA8_SINT, 1, -1, 300, -300, 01ff7f80",
        "RGB10_A2_UINT, 1, 1023, 5000, 1, 01fcff7f",
        "RG16_SINT, -2, 40000, 0, 0, feffff7f",
        "R16_UINT, 70000, 0, 0, 0, ffff",
        "R32_UINT, -2, 0, 0, 0, feffffff",
        "RG32_SINT, -2, 3, 0, 0, feffffff03000000",
        "RGBA32_UINT, 1, 2, 3, -1, 010000000200000003000000ffffffff",
    })
    void givenIntegers_whenTargetIsCleared_thenValuesAreKeptOrClamped(
            ColorFormat format, int r, int g, int b, int a, String bytes) {
        run(
                target(program(), 0, format, 64, 64, BlockLinear.mode(1, 0))
                        .methods(SUB, ThreedClass.CLEAR_COLOR, r, g, b, a)
                        .methods(SUB, ThreedClass.CLEAR_BUFFERS, ALL_COLORS));
        assertEquals(bytes.repeat(16 / (bytes.length() / 2)), bytesAt(0, 16));
    }

    @Test
    void givenEachKnownFormat_whenSomeComponentsAreCleared_thenOtherComponentsAreUnchanged() {
        for (ColorFormat format : ColorFormat.values()) {
            int pixel = format.layout().bytes();
            run(
                    color(target(program(), 0, format, 64, 8, BlockLinear.mode(0, 0)), 0, 0, 0, 0)
                            .methods(
                                    SUB,
                                    ThreedClass.CLEAR_BUFFERS,
                                    ThreedClass.CLEAR_BUFFERS_COLOR.of(1)));
            byte[] cleared = gpu.slice(vram, pixel).toArray(ValueLayout.JAVA_BYTE);
            long value = 0;
            for (int i = Math.min(pixel, 8) - 1; i >= 0; i--) {
                value = value << 8 | cleared[i] & 0xff;
            }
            PixelLayout layout = format.layout();
            long red = layout.mask(Channel.R) << layout.shift(Channel.R);
            boolean alone = pixel * 8L == Long.bitCount(red);
            long old = 0x3c3c3c3c3c3c3c3cL & (pixel >= 8 ? -1L : (1L << pixel * 8) - 1);
            boolean onlyRedMatters = value == (old & ~red);
            assertTrue(onlyRedMatters || alone, format + ": value=0x" + Long.toHexString(value));
            gpu.slice(vram, BYTES).fill(OLD);
        }
    }

    @Test
    void givenRandomTargetsAndScissors_whenCleared_thenMemoryEqualsModel() {
        ColorFormat[] formats = ColorFormat.values();
        for (long seed = 0; seed < 80; seed++) {
            Random random = new Random(seed);
            ColorFormat format = formats[random.nextInt(formats.length)];
            int pixel = format.layout().bytes();
            int width = 1 + random.nextInt(120);
            int height = 1 + random.nextInt(90);
            boolean linear = random.nextInt(3) == 0;
            int pitch = (width * pixel + 63) / 64 * 64;
            int mode = linear ? LINEAR : BlockLinear.mode(random.nextInt(4), 0);
            int x = random.nextInt(width + 5);
            int y = random.nextInt(height + 5);
            int w = random.nextInt(width + 5);
            int h = random.nextInt(height + 5);
            run(
                    target(program(), 0, format, linear ? pitch : width, height, mode)
                            .methods(SUB, ThreedClass.CLEAR_COLOR, 0, 0, 0, 0)
                            .methods(
                                    SUB,
                                    ThreedClass.SCREEN_SCISSOR_HORIZONTAL,
                                    w << 16 | x,
                                    h << 16 | y)
                            .methods(SUB, ThreedClass.CLEAR_BUFFERS, ALL_COLORS));
            int border = linear ? pitch / pixel : width;
            BlockLinear layout = new BlockLinear().describe(mode, (long) width * pixel, height);
            for (int line = y; line < Math.min(y + h, height); line++) {
                for (int column = x * pixel; column < Math.min(x + w, border) * pixel; column++) {
                    long at =
                            linear ? (long) line * pitch + column : layout.offset(column, line, 0);
                    model[(int) at] = 0;
                }
            }
            assertMemory("seed=" + seed + " " + format);
        }
    }

    @Test
    void givenLayersAndVolumes_whenOneLayerIsCleared_thenOtherLayersAreUnchanged() {
        int mode = BlockLinear.mode(1, 0);
        long layerBytes = new BlockLinear().describe(mode, 128, 32).bytes(1);
        GpuProgram program = target(program(), 2, ColorFormat.R8_UNORM, 128, 32, mode);
        program.methods(
                SUB, ThreedClass.rt(2, ThreedClass.RT_ARRAY_MODE), 6, (int) layerBytes / 4, 2);
        int rt = ThreedClass.CLEAR_BUFFERS_RT.of(2) | ALL_COLORS;
        program.methods(SUB, ThreedClass.CLEAR_COLOR, 0, 0, 0, 0);
        run(
                program.repeat(
                        SUB,
                        ThreedClass.CLEAR_BUFFERS,
                        rt | ThreedClass.CLEAR_BUFFERS_LAYER.of(3),
                        rt | ThreedClass.CLEAR_BUFFERS_LAYER.of(4)));
        Arrays.fill(model, (int) (5 * layerBytes), (int) (6 * layerBytes), (byte) 0);
        assertMemory("layer");

        int deep = BlockLinear.mode(1, 2) | ThreedClass.TILE_MODE_VOLUME.of(1);
        program = target(program(), 2, ColorFormat.R8_UNORM, 128, 32, deep);
        program.methods(SUB, ThreedClass.rt(2, ThreedClass.RT_ARRAY_MODE), 6, 0, 1);
        run(
                program.methods(
                        SUB,
                        ThreedClass.CLEAR_BUFFERS,
                        rt | ThreedClass.CLEAR_BUFFERS_LAYER.of(4)));
        BlockLinear layout = new BlockLinear().describe(deep, 128, 32);
        for (int y = 0; y < 32; y++) {
            for (int x = 0; x < 128; x++) {
                model[(int) layout.offset(x, y, 5)] = 0;
            }
        }
        assertMemory("volume");
    }

    @ParameterizedTest
    @CsvSource({
        // format, memory after a clear to depth 1 only, memory after a clear to stencil c3 only
        "Z16_UNORM, ffff, 3c3c",
        "Z24_S8_UNORM, ffffff3c, 3c3c3cc3",
        "S8_Z24_UNORM, 3cffffff, c33c3c3c",
        "Z24_X8_UNORM, ffffff00, 3c3c3c3c",
        "Z24_C8_UNORM, ffffff00, 3c3c3c3c",
        "Z32_FLOAT, 0000803f, 3c3c3c3c",
        "Z32_S8_X24_FLOAT, 0000803f3c3c3c3c, 3c3c3c3cc33c3c3c",
    })
    void givenDepthAndStencil_whenDepthOrStencilIsCleared_thenOtherComponentIsUnchanged(
            ZetaFormat format, String depth, String stencil) {
        run(clearZeta(format, ThreedClass.CLEAR_BUFFERS_DEPTH.of(1)));
        assertEquals(depth, bytesAt(0, depth.length() / 2));
        gpu.slice(vram, BYTES).fill(OLD);
        run(clearZeta(format, ThreedClass.CLEAR_BUFFERS_STENCIL.of(1)));
        assertEquals(stencil, bytesAt(0, stencil.length() / 2));
    }

    private GpuProgram clearZeta(ZetaFormat format, int what) {
        return program()
                .methods(
                        SUB,
                        ThreedClass.ZETA_ADDRESS_HIGH,
                        0,
                        (int) VA,
                        format.code(),
                        BlockLinear.mode(1, 0),
                        0)
                .methods(SUB, ThreedClass.ZETA_HORIZONTAL, 32, 16, 1)
                .methods(SUB, ThreedClass.ZETA_ENABLE, 1)
                .methods(SUB, ThreedClass.CLEAR_DEPTH, Float.floatToRawIntBits(1))
                .methods(SUB, ThreedClass.CLEAR_STENCIL, 0xc3)
                .methods(SUB, ThreedClass.CLEAR_BUFFERS, what);
    }

    @Test
    void givenStencilMaskEnabledByFlags_whenCleared_thenOnlyMaskedBitsAreCleared() {
        run(
                clearZeta(ZetaFormat.Z24_S8_UNORM, 0)
                        .methods(SUB, ThreedClass.STENCIL_MASK, 0x0f)
                        .methods(
                                SUB,
                                ThreedClass.CLEAR_FLAGS,
                                ThreedClass.CLEAR_FLAGS_STENCIL_MASK.of(1))
                        .methods(
                                SUB,
                                ThreedClass.CLEAR_BUFFERS,
                                ThreedClass.CLEAR_BUFFERS_STENCIL.of(1)));
        assertEquals("3c3c3c33", bytesAt(0, 4));
    }

    @Test
    void givenScissorViewportAndClipRectangles_whenCleared_thenAllEnabledLimitsApply() {
        GpuProgram program = target(program(), 0, ColorFormat.R8_UNORM, 256, 64, LINEAR);
        program.methods(SUB, ThreedClass.CLEAR_COLOR, 0, 0, 0, 0)
                .methods(SUB, ThreedClass.SCISSOR_ENABLE, 1, 100 << 16 | 10, 50 << 16 | 5)
                .methods(SUB, ThreedClass.VIEWPORT_HORIZONTAL, 60 << 16 | 20, 40 << 16)
                .methods(SUB, ThreedClass.CLIP_RECTANGLE_HORIZONTAL, 30 << 16, 20 << 16)
                .methods(
                        SUB,
                        ThreedClass.CLIP_RECTANGLE_HORIZONTAL + 8,
                        90 << 16 | 70,
                        60 << 16 | 30)
                .methods(SUB, ThreedClass.CLIP_RECTANGLES_ENABLE, 1, ThreedClass.CLIP_INSIDE_ANY)
                .methods(
                        SUB,
                        ThreedClass.CLEAR_FLAGS,
                        ThreedClass.CLEAR_FLAGS_SCISSOR.of(1)
                                | ThreedClass.CLEAR_FLAGS_VIEWPORT.of(1))
                .methods(SUB, ThreedClass.CLEAR_BUFFERS, ALL_COLORS);
        run(program);
        fillModel(20, 5, 30, 20);
        fillModel(70, 30, 80, 40);
        assertMemory("limits");
    }

    private void fillModel(int left, int top, int right, int bottom) {
        for (int y = top; y < bottom; y++) {
            Arrays.fill(model, y * 256 + left, y * 256 + right, (byte) 0);
        }
    }

    @Test
    void givenMultisampledTarget_whenScissorLimitsClear_thenScissorIsInPixels() {
        run(
                target(program(), 0, ColorFormat.R8_UNORM, 64, 32, LINEAR)
                        .methods(SUB, ThreedClass.CLEAR_COLOR, 0, 0, 0, 0)
                        .methods(SUB, ThreedClass.MULTISAMPLE_MODE, 3)
                        .methods(SUB, ThreedClass.SCREEN_SCISSOR_HORIZONTAL, 8 << 16, 4 << 16 | 1)
                        .methods(SUB, ThreedClass.CLEAR_BUFFERS, ALL_COLORS));
        for (int y = 2; y < 10; y++) {
            Arrays.fill(model, y * 64, y * 64 + 32, (byte) 0);
        }
        assertMemory("samples");
    }

    @Test
    void givenLargeTarget_whenCleared_thenWholeTargetIsCleared() {
        run(
                target(program(), 0, ColorFormat.RGBA8_UNORM, 512, 512, BlockLinear.mode(4, 0))
                        .methods(SUB, ThreedClass.CLEAR_COLOR, 0, 0, 0, 0)
                        .methods(SUB, ThreedClass.CLEAR_BUFFERS, ALL_COLORS));
        Arrays.fill(model, (byte) 0);
        assertMemory("large");
        assertEquals(BYTES, gpu.count(WorkCounter.CLEARED_BYTES));
    }

    @ParameterizedTest
    @CsvSource({
        // mode, result of the query, whether both queries are equal, whether the target is cleared
        "0, 1, true, false",
        "1, 0, false, true",
        "2, 0, true, false",
        "2, 1, true, true",
        "3, 1, true, true",
        "3, 1, false, false",
        "4, 1, true, false",
        "4, 1, false, true",
    })
    void givenCondition_whenCleared_thenPixelsChangeOnlyIfConditionIsTrue(
            int mode, int result, boolean equal, boolean cleared) {
        long query = channel.map(0x6000_0000L, TestGpu.PAGE_BYTES);
        gpu.word(query, 5);
        gpu.word(query + 4, result);
        gpu.word(query + 16, 5);
        gpu.word(query + 20, equal ? result : result + 1);
        run(
                target(program(), 0, ColorFormat.R8_UNORM, 64, 8, LINEAR)
                        .methods(SUB, ThreedClass.CLEAR_COLOR, 0, 0, 0, 0)
                        .methods(SUB, ThreedClass.CONDITION_ADDRESS_HIGH, 0, 0x6000_0000, mode)
                        .methods(SUB, ThreedClass.CLEAR_BUFFERS, ALL_COLORS));
        assertEquals(cleared ? "00" : "3c", bytesAt(0, 1));
    }

    @ParameterizedTest
    @CsvSource({
        // format code, tile mode, low bits of the address, number of clears that are left out
        "221, 16, 0, 0",
        "28, 16, 0, 1",
        "243, 112, 0, 1",
        "243, 16, 8, 1",
        "243, 4096, 4, 1",
        "0, 16, 0, 0",
    })
    void givenTarget_whenCleared_thenClearIsCountedIfTargetIsUnsupported(
            int format, int tileMode, int low, int leftOut) {
        run(
                target(program(), 0, ColorFormat.R8_UNORM, 64, 8, tileMode)
                        .methods(SUB, ThreedClass.rt(0, ThreedClass.RT_FORMAT), format)
                        .methods(SUB, ThreedClass.rt(0, ThreedClass.RT_ADDRESS_LOW), (int) VA | low)
                        .methods(SUB, ThreedClass.CLEAR_BUFFERS, ALL_COLORS));
        assertEquals(leftOut, gpu.count(WorkCounter.CLEARS_LEFT_OUT));
    }

    @Test
    void givenHostileSizes_whenCleared_thenClearEndsInFault() {
        int tileMode = BlockLinear.mode(5, 5) | ThreedClass.TILE_MODE_VOLUME.of(1);
        channel.submit(
                target(program(), 0, ColorFormat.RGBA32_FLOAT, -1, -1, tileMode)
                        .methods(SUB, ThreedClass.SCREEN_SCISSOR_HORIZONTAL, -1, -1)
                        .methods(SUB, ThreedClass.rt(0, ThreedClass.RT_ARRAY_MODE), -1, -1, 0)
                        .methods(SUB, ThreedClass.MULTISAMPLE_MODE, 6)
                        .methods(
                                SUB,
                                ThreedClass.CLEAR_BUFFERS,
                                ALL_COLORS | ThreedClass.CLEAR_BUFFERS_LAYER.mask()));
        gpu.run();
        assertEquals(1, gpu.count(WorkCounter.MMU_FAULTS));
    }
}
