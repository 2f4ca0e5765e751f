package io.gpuvm.softgpu.sm.instruction;

import static io.gpuvm.softgpu.sm.instruction.Bench.DATA;
import static io.gpuvm.softgpu.sm.instruction.Words.bits;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.softgpu.sm.Outcome;
import io.gpuvm.softgpu.sm.SmTrap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Texel fetches: layouts, components, texels outside the texture, and headers that describe no
/// texture.
class TextureTest {
    private static final Bench BENCH = new Bench();

    // Values of the header's fields, as in rnndb.
    private static final int SNORM = 1;
    private static final int UNORM = 2;
    private static final int SINT = 3;
    private static final int UINT = 4;
    private static final int FLOAT = 7;
    private static final int RGBA32 = 0x01;
    private static final int RGBA16 = 0x03;
    private static final int RG32 = 0x04;
    private static final int RGBA8 = 0x08;
    private static final int RG16 = 0x0c;
    private static final int R32 = 0x0f;
    private static final int RG8 = 0x18;
    private static final int R16 = 0x1b;
    private static final int R8 = 0x1d;
    private static final int ZERO = 0;
    private static final int R = 2;
    private static final int G = 3;
    private static final int B = 4;
    private static final int A = 5;
    private static final int ONE = 6;
    private static final int ONE_FLOAT = 7;
    private static final int LINEAR_BUFFER = 6 << 14 | 1 << 18;

    /// Number of texels in every texture, except RGBA32, which has half as many.
    private static final int TEXELS = 4;

    private static final int NOWHERE = 0x7000_0000;

    private static final int[] WORDS = {
        0x3f80_0000,
        0xc000_3c00,
        0x80ff_7f01,
        0x0102_0304,
        0x7fc0_1234,
        0x8000_0000,
        0xffff_ffff,
        0x0000_0001
    };

    @BeforeAll
    static void bind() {
        BENCH.texture(0, 0, header(R32, FLOAT, R, ZERO, ZERO, ONE_FLOAT));
        BENCH.texture(1, 1, header(RG32, UINT, R, G, ZERO, ONE));
        BENCH.texture(2, 2, header(RGBA32, SINT, R, G, B, A));
        BENCH.texture(3, 3, header(RGBA32, UINT, A, ONE_FLOAT, R, ONE));
        BENCH.texture(4, 4, header(R16, UINT, R, ZERO, ZERO, ONE));
        BENCH.texture(5, 5, header(RG16, FLOAT, R, G, ZERO, ONE_FLOAT));
        BENCH.texture(6, 6, header(RGBA16, SINT, R, G, B, A));
        BENCH.texture(7, 7, header(R8, SINT, R, ZERO, ZERO, ONE));
        BENCH.texture(8, 8, header(RG8, UNORM, R, G, ZERO, ONE_FLOAT));
        BENCH.texture(9, 9, header(RGBA8, SNORM, R, G, B, A));
        BENCH.texture(10, 10, header(RGBA8, UINT, A, B, G, R));
        // The slot with the highest number, and the pool's last header.
        BENCH.texture(255, Bench.LAST_TEXTURE, header(R32, UINT, R, G, ZERO, ZERO));
        // Valid and invalid headers that do not describe a texture in linear memory.
        BENCH.texture(100, 20, -1, -1, -1, -1, -1, -1, -1, -1);
        BENCH.texture(101, 21, 0, 0, 0, 0, 0, 0, 0, 0);
        BENCH.texture(102, 22, header(R8, FLOAT, R, ZERO, ZERO, ONE));
        BENCH.texture(103, 23, header(R32, UNORM, R, ZERO, ZERO, ONE));
        BENCH.texture(104, 24, header(R32, 0, R, ZERO, ZERO, ONE));
        BENCH.texture(105, 25, header(R32, UINT, 1, ZERO, ZERO, ONE));
        BENCH.texture(106, 26, with(header(R32, UINT, R, ZERO, ZERO, ONE), 2, 1 << 14 | 1 << 18));
        BENCH.texture(107, 27, with(header(R32, UINT, R, ZERO, ZERO, ONE), 2, 6 << 14));
        BENCH.texture(108, Bench.LAST_TEXTURE + 1, header(R32, UINT, R, ZERO, ZERO, ONE));
        BENCH.texture(110, 28, with(header(R32, UINT, R, ZERO, ZERO, ONE), 1, NOWHERE));
        BENCH.texture(111, 29, with(header(RGBA32, UINT, R, G, B, A), 1, DATA + 4));
    }

    @AfterAll
    static void close() {
        BENCH.close();
    }

    private static int[] header(int layout, int type, int x, int y, int z, int w) {
        int types = type << 6 | type << 9 | type << 12 | type << 15;
        int sources = x << 18 | y << 21 | z << 24 | w << 27;
        int texels = layout == RGBA32 ? 2 : TEXELS;
        return new int[] {layout | types | sources, DATA, LINEAR_BUFFER, 0, texels, 0, 0, 0};
    }

    private static int[] with(int[] header, int word, int value) {
        header[word] = value;
        return header;
    }

    private static InstructionCase fetch(String... lines) {
        InstructionCase fetch = InstructionCase.of(lines);
        for (int i = 0; i < WORDS.length; i++) {
            fetch.data(i * Integer.BYTES, WORDS[i]);
        }
        return fetch;
    }

    static List<InstructionCase> cases() {
        List<InstructionCase> cases = new ArrayList<>();
        words(cases);
        narrow(cases);
        outside(cases);
        lanes(cases);
        return cases;
    }

    private static void words(List<InstructionCase> cases) {
        InstructionCase one = fetch("TLD.LZ.T R16, R0, 0x0, 1D, 0x1");
        for (int i = 0; i < 256; i++) {
            one.with(i * 7 % TEXELS).gives(WORDS[i * 7 % TEXELS]);
        }
        cases.add(one);
        cases.add(
                fetch("TLD.LZ.P R16, R0, 0x0, 1D, 0xf").with(1).gives(WORDS[1], 0, 0, bits(1.0f)));
        cases.add(
                fetch("TLD.LZ R16, R0, 0x1, 1D, 0x3")
                        .with(0)
                        .gives(WORDS[0], WORDS[1])
                        .with(3)
                        .gives(WORDS[6], WORDS[7]));
        cases.add(
                fetch("TLD.LZ.T R16, R0, 0x2, 1D, 0xf")
                        .with(1)
                        .gives(WORDS[4], WORDS[5], WORDS[6], WORDS[7]));
        cases.add(
                fetch("TLD.LZ.T R16, R0, 0x2, 1D, 0xd")
                        .with(0)
                        .gives(WORDS[0], WORDS[2], WORDS[3], 0));
        cases.add(fetch("TLD.LZ.T R16, R0, 0x2, 1D, 0x8").with(1).gives(WORDS[7], 0));
        cases.add(fetch("TLD.LZ.T R16, R0, 0x2, 1D, 0x0").with(1).gives(0));
        cases.add(
                fetch("TLD.LZ.T R16, R0, 0x3, 1D, 0xf")
                        .with(0)
                        .gives(WORDS[3], bits(1.0f), WORDS[0], 1));
        cases.add(fetch("TLD.LZ.T R16, R0, 0xff, 1D, 0x3").with(2).gives(WORDS[2], 0));
        // The address of a texel is a multiple of the texel's size.
        cases.add(fetch("TLD.LZ.T R16, R0, 0x6f, 1D, 0x1").with(1).gives(WORDS[4]));
    }

    private static void narrow(List<InstructionCase> cases) {
        cases.add(
                fetch("TLD.LZ.T R16, R0, 0x4, 1D, 0x9")
                        .with(1)
                        .gives(0x3f80, 1)
                        .with(3)
                        .gives(0xc000, 1));
        cases.add(fetch("TLD.LZ.T R16, R0, 0x5, 1D, 0x3").with(1).gives(bits(1.0f), bits(-2.0f)));
        cases.add(
                fetch("TLD.LZ.T R16, R0, 0x6, 1D, 0xf")
                        .with(0)
                        .gives(0, 0x3f80, 0x3c00, 0xffff_c000)
                        .with(1)
                        .gives(0x7f01, 0xffff_80ff, 0x0304, 0x0102));
        cases.add(fetch("TLD.LZ.T R16, R0, 0x7, 1D, 0x1").with(2).gives(-128).with(3).gives(0x3f));
        cases.add(
                fetch("TLD.LZ.T R16, R0, 0x8, 1D, 0xf")
                        .with(1)
                        .gives(bits(128 / 255f), bits(63 / 255f), 0, bits(1.0f)));
        cases.add(
                fetch("TLD.LZ.T R16, R0, 0x9, 1D, 0xf")
                        .with(2)
                        .gives(bits(1 / 127f), bits(1.0f), bits(-1 / 127f), bits(-1.0f)));
        cases.add(fetch("TLD.LZ.T R16, R0, 0xa, 1D, 0xf").with(3).gives(1, 2, 3, 4));
    }

    private static void outside(List<InstructionCase> cases) {
        cases.add(
                fetch("TLD.LZ.T R16, R0, 0x0, 1D, 0x1")
                        .with(TEXELS - 1)
                        .gives(WORDS[TEXELS - 1])
                        .with(TEXELS)
                        .gives(0)
                        .with(-1)
                        .gives(0)
                        .with(Integer.MIN_VALUE)
                        .gives(0)
                        .with(0)
                        .gives(WORDS[0]));
        // Constant components apply even to a texel outside the texture.
        cases.add(fetch("TLD.LZ.T R16, R0, 0x3, 1D, 0xf").with(2).gives(0, bits(1.0f), 0, 1));
        for (int slot : new int[] {50, 100, 101, 102, 103, 104, 105, 106, 107, 108}) {
            cases.add(
                    fetch("MOV R18, R1", "* TLD.LZ.T R16, R0, 0x%x, 1D, 0x3".formatted(slot))
                            .with(0, 5)
                            .gives(0, 0, 5));
        }
    }

    private static void lanes(List<InstructionCase> cases) {
        InstructionCase some =
                fetch(
                        "MOV R16, R1",
                        "MOV R17, R1",
                        "ISETP.NE.AND P0, PT, R2, RZ, PT",
                        "* @P0 TLD.LZ.T R16, R0, 0x1, 1D, 0x3");
        for (int i = 0; i < 64; i++) {
            int texel = i % TEXELS;
            if (i % 3 == 0) {
                some.with(texel, i, 1).gives(WORDS[2 * texel], WORDS[2 * texel + 1]);
            } else {
                // Lanes that do not fetch may have any number.
                some.with(-1, i, 0).gives(i, i);
            }
        }
        cases.add(some);
        cases.add(
                fetch("* TLD.LZ.T R0, R0, 0x2, 1D, 0xf", "MOV R16, R0", "MOV R17, R3")
                        .with(1)
                        .gives(WORDS[4], WORDS[7]));
        cases.add(fetch("* TLD.LZ.T RZ, R0, 0x2, 1D, 0xf", "MOV R16, RZ").with(1).gives(0));
        cases.add(fetch("TLD.LZ.T R16, RZ, 0x0, 1D, 0x1").with(9).gives(WORDS[0]));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenTexture_whenTexelsAreFetched_thenRegistersContainDecodedTexels(
            InstructionCase instructions) {
        BENCH.check(instructions);
    }

    @ParameterizedTest
    @CsvSource({
        "R17, 0x3, MISALIGNED_REG",
        "R18, 0x7, MISALIGNED_REG",
        "R18, 0xf, MISALIGNED_REG",
        "R62, 0xc, OOR_REG",
        "R60, 0xf, OOR_REG",
    })
    void givenInvalidRegister_whenInstructionIsExecuted_thenWarpTraps(
            String register, String components, WarpError error) {
        String text = "TLD.LZ.T %s, R0, 0x2, 1D, %s".formatted(register, components);
        assertEquals(Outcome.TRAPPED, BENCH.outcome(text, new int[1]));
        SmTrap.InstructionError trap =
                assertInstanceOf(SmTrap.InstructionError.class, BENCH.trap());
        assertEquals(error, trap.error());
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                // Fetches with a level, an offset, samples, a plane, a slot from a register, and
                // for pixels.
                0x0200_0000_0000_0000L,
                0x0040_0000_0000_0000L,
                0x0080_0000_0000_0000L,
                0x0100_0000_0000_0000L,
                0x0010_0000_0000_0000L,
                0x0004_0000_0000_0000L,
                0x0000_0000_0000_0200L
            })
    void givenUnsupportedKindOfFetch_whenExecuted_thenInstructionIsIllegal(long bit) {
        String text = ".word 0x%x".formatted(0x9000_4000_fc04_1c86L | bit);
        assertEquals(Outcome.TRAPPED, BENCH.outcome(text, new int[1]));
        SmTrap.InstructionError trap =
                assertInstanceOf(SmTrap.InstructionError.class, BENCH.trap());
        assertEquals(WarpError.ILLEGAL_INSTR_ENCODING, trap.error());
    }

    @Test
    void givenUnmappedMemory_whenTexelIsFetched_thenTrapHasAddress() {
        String text = "TLD.LZ.T R16, R0, 0x6e, 1D, 0x1";
        // The first lane is outside the texture, so it does not access memory.
        assertEquals(Outcome.TRAPPED, BENCH.outcome(text, new int[] {TEXELS}, new int[] {3}));
        SmTrap.MemoryFault fault = assertInstanceOf(SmTrap.MemoryFault.class, BENCH.trap());
        assertEquals(NOWHERE + 12, fault.gpuVa());
        assertEquals(1, fault.position().thread().x());
    }
}
