package io.gpuvm.vfio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PciAddressTest {
    @Test
    void givenFullAddress_whenParsed_thenTextFormEqualsInput() {
        assertEquals("0001:0a:1f.7", PciAddress.parse("0001:0a:1f.7").toString());
    }

    @Test
    void givenNoDomain_whenParsed_thenDomainIsZero() {
        assertEquals(new PciAddress(0, 1, 0, 0), PciAddress.parse("01:00.0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "01:00", "01:20.0", "01:00.8", "1:00.0", "../../etc", "01:00.0 "})
    void givenInvalidText_whenParsed_thenTextIsRefused(String text) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> PciAddress.parse(text));

        assertTrue(e.getMessage().contains("'" + text + "'"), e::getMessage);
    }
}
