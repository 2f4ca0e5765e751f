package io.gpuvm.gf100.classes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LinearTextureTest {
    private static final long ADDRESS = 0x12_3456_7800L;

    @Test
    void givenVectorOfFloats_whenHeaderIsWritten_thenWordsMatchDriverWords() {
        LinearTexture texture =
                LinearTexture.of(TexelLayout.R32, NumericFormat.FLOAT, ADDRESS, 1000);

        // Layout 0f, four types 7, sources R 0 0 1.0; buffer (6) in linear memory.
        int[] words = {0x380b_ffcf, 0x3456_7800, 6 << 14 | 1 << 18 | 0x12, 0, 1000, 0, 0, 0};
        assertArrayEquals(words, texture.words());
    }

    @Test
    void givenMesaHeader_whenRead_thenBitsIrrelevantToBuffersAreIgnored() {
        int[] words = LinearTexture.of(TexelLayout.RG32, NumericFormat.UINT, ADDRESS, 7).words();
        // Bits that Mesa sets in every header.
        words[2] |= 0x5000_1000;

        LinearTexture texture = LinearTexture.read(words);

        assertEquals(ADDRESS, texture.gpuVa());
        assertEquals(7, texture.texels());
        assertEquals(TexelLayout.RG32, texture.layout());
        assertEquals(TexelSource.G, texture.source(1));
        assertEquals(TexelSource.ZERO, texture.source(2));
        assertEquals(TexelSource.ONE_INTEGER, texture.source(3));
    }

    @ParameterizedTest
    @EnumSource
    void givenLayout_whenWrittenAndRead_thenLayoutIsUnchanged(TexelLayout layout) {
        for (NumericFormat encoding :
                new NumericFormat[] {NumericFormat.UINT, NumericFormat.SINT}) {
            int[] words = LinearTexture.of(layout, encoding, ADDRESS, 1 << 27).words();
            LinearTexture again = LinearTexture.read(words);
            assertNotNull(again);
            assertArrayEquals(words, again.words());
            assertEquals(layout, again.layout());
            assertEquals(layout, TexelLayout.of(layout.channels(), layout.bits()));
        }
    }

    @Test
    void givenInvalidTextures_whenCreated_thenErrorNamesValueAndLimit() {
        assertRefused(
                "texels=134217729, expected 0 to 134217728",
                NumericFormat.UINT,
                ADDRESS,
                (1 << 27) + 1);
        assertRefused("texels=-1, expected 0 to 134217728", NumericFormat.UINT, ADDRESS, -1);
        assertRefused(
                "gpuVa=0x1234567802, expected a multiple of 4 below 2^40",
                NumericFormat.UINT,
                ADDRESS + 2,
                1);
        assertRefused(
                "gpuVa=0x10000000000, expected a multiple of 4 below 2^40",
                NumericFormat.UINT,
                1L << 40,
                1);
        assertRefused(
                "layout=R32, encoding=UNORM, expected a supported combination",
                NumericFormat.UNORM,
                ADDRESS,
                1);
    }

    private static void assertRefused(
            String message, NumericFormat encoding, long gpuVa, int texels) {
        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> LinearTexture.of(TexelLayout.R32, encoding, gpuVa, texels));
        assertEquals(message, refused.getMessage());
    }

    @Test
    void givenRandomHeaders_whenRead_thenTexturesCanBeDecoded() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int textures = 0;
        for (int i = 0; i < 200_000; i++) {
            int[] words = random.ints(TextureHeader.WORDS).toArray();
            // Without these bits, few words would describe a texture.
            words[2] = words[2] & ~(0xf << 14 | 1 << 10) | 6 << 14 | 1 << 18;
            LinearTexture texture = LinearTexture.read(words);
            if (texture != null) {
                textures++;
                for (int channel = 0; channel < texture.layout().channels(); channel++) {
                    texture.decode(channel, random.nextInt());
                }
            }
        }
        assertNotEquals(0, textures, "seed=" + seed);
        assertNull(LinearTexture.read(new int[TextureHeader.WORDS]));
    }
}
