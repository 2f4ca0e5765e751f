package io.gpuvm.gf100.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.PixelLayout.Channel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PixelLayoutTest {
    @ParameterizedTest
    @EnumSource
    void givenFormat_whenSearchedByCode_thenFormatIsFoundAndPixelSizeIsValid(ColorFormat format) {
        assertSame(format, ColorFormat.of(format.code()));
        assertEquals(1, Integer.bitCount(format.layout().bytes()));
        assertTrue(format.layout().bytes() <= 16);
    }

    @ParameterizedTest
    @EnumSource
    void givenDepthFormat_whenSearchedByCode_thenFormatIsFound(ZetaFormat format) {
        assertSame(format, ZetaFormat.of(format.code()));
        assertTrue(format.layout().mask(Channel.Z) != 0);
    }

    @Test
    void givenUnknownCodes_whenFormatIsSearched_thenNoFormatIsFound() {
        assertNull(ColorFormat.of(0));
        assertNull(ColorFormat.of(-1));
        assertNull(ColorFormat.of(0x100));
        assertNull(ZetaFormat.of(0));
        assertNull(ZetaFormat.of(-1));
    }

    @ParameterizedTest
    @EnumSource
    void givenEveryValueOfChannel_whenDecodedAndEncoded_thenValueIsUnchanged(ColorFormat format) {
        PixelLayout layout = format.layout();
        for (Channel channel : new Channel[] {Channel.R, Channel.G, Channel.B, Channel.A}) {
            long mask = layout.mask(channel);
            long step = Math.max(1, mask >>> 12);
            for (long stored = 0; stored <= mask && mask != 0; stored += step) {
                long again = layout.encode(channel, layout.decode(channel, stored));
                boolean leastOfSigned =
                        format.name().endsWith("SNORM") && stored == (mask >>> 1) + 1;
                boolean special =
                        format.name().endsWith("FLOAT") && !isFinite(layout, stored, mask);
                if (!leastOfSigned && !special) {
                    assertEquals(stored, again, channel + " " + Long.toHexString(stored));
                }
            }
        }
    }

    /// Returns whether a value is finite; the test excludes all other values, because NaN has many
    /// encodings.
    private static boolean isFinite(PixelLayout layout, long stored, long mask) {
        if (mask == 0xffff_ffffL) {
            return Float.isFinite(Float.intBitsToFloat((int) stored));
        }
        int mantissaBits = mask == 0xffff ? 10 : Long.bitCount(mask) - 5;
        return (stored >>> mantissaBits & 0x1f) != 0x1f;
    }

    @ParameterizedTest
    @CsvSource({
        "B5G6R5_UNORM, R, 0.5, 10", // 15.5, to even
        "B5G6R5_UNORM, R, 0.48, f",
        "RGBA8_UNORM, R, NaN, 0",
        "RGBA8_UNORM, R, Infinity, ff",
        "RGBA8_UNORM, A, -3, 0",
        "RGBA8_SNORM, R, -1, 81",
        "RGBA8_SRGB, R, 0.002, 7",
        "RGBA8_SRGB, A, 0.5, 80",
        "R16_FLOAT, R, 65520, 7c00",
        "R11G11B10_FLOAT, R, -1, 0",
        "R11G11B10_FLOAT, R, Infinity, 7c0",
        "R11G11B10_FLOAT, R, NaN, 7c1",
        "R11G11B10_FLOAT, R, 1e9, 7bf",
        "R11G11B10_FLOAT, B, 1e9, 3df",
        "R11G11B10_FLOAT, R, 6.103515625e-5, 40",
        "R11G11B10_FLOAT, R, 9.5367431640625e-7, 1",
        "R11G11B10_FLOAT, R, 4e-7, 0",
    })
    void givenNumber_whenEncoded_thenResultIsRoundedAndClamped(
            ColorFormat format, Channel channel, float value, String stored) {
        assertEquals(
                stored,
                Long.toHexString(format.layout().encode(channel, Float.floatToRawIntBits(value))));
    }
}
