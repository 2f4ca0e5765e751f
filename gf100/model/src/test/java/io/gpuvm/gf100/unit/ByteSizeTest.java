package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @Test
    void givenNumberWithSuffix_whenParsed_thenSuffixMultipliesNumber() {
        assertEquals(77, ByteSize.parse("vram", "77"));
        assertEquals(3L << 10, ByteSize.parse("vram", "3K"));
        assertEquals(512L << 20, ByteSize.parse("vram", "512M"));
        assertEquals(6L << 30, ByteSize.parse("vram", "6G"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "M", "12T", "1.5G", "9000000000000G", "99999999999999999999"})
    void givenInvalidText_whenParsed_thenErrorNamesKeyAndText(String text) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> ByteSize.parse("vram", text));
        assertEquals(
                "vram=" + text + ", expected a number of bytes with an optional suffix K, M or G",
                e.getMessage());
    }
}
