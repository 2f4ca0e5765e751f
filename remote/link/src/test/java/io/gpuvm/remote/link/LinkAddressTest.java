package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkAddressTest {
    @Test
    void givenAddress_whenParsed_thenPartsAreAsWritten() {
        assertEquals(
                new LinkAddress(true, "gpu.example", 7000),
                LinkAddress.parse("tls:gpu.example:7000"));
        assertEquals(new LinkAddress(false, "127.0.0.1", 0), LinkAddress.parse("tcp:127.0.0.1:0"));
        assertEquals(new LinkAddress(true, "::1", 65_535), LinkAddress.parse("tls:[::1]:65535"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls:gpu.example:7000", "tls:[2001:db8::1]:7000", "tcp:localhost:1"})
    void givenAddress_whenWritten_thenParsingReturnsIt(String text) {
        assertEquals(text, LinkAddress.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "gpu:7000", "udp:a:1", "tls:a", "tls::1", "tls:a:65536", "tls:::1:7000"})
    void givenOtherText_whenParsed_thenItIsRefusedByName(String text) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> LinkAddress.parse(text));

        assertTrue(refused.getMessage().startsWith("address=" + text + ","), refused::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp:192.0.2.1:7000", "tcp:0.0.0.0:7000", "tcp:[::]:7000"})
    void givenOtherThanLoopback_whenResolvedWithoutTls_thenAddressIsRefused(String text) {
        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class, () -> LinkAddress.parse(text).resolve());

        assertTrue(refused.getMessage().contains("loopback"), refused::getMessage);
    }
}
