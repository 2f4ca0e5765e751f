package io.gpuvm.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsAddressTest {
    @ParameterizedTest
    @CsvSource({
        "9400, 127.0.0.1, 9400",
        "localhost:1, 127.0.0.1, 1",
        "127.0.0.1:0, 127.0.0.1, 0",
        "0.0.0.0:65535, 0.0.0.0, 65535",
        "192.0.2.7:9400, 192.0.2.7, 9400",
        "[::1]:9400, 0:0:0:0:0:0:0:1, 9400"
    })
    void givenAddress_whenParsed_thenPortAloneIsOfLoopback(String text, String host, int port) {
        assertEquals(host, MetricsAddress.parse(text).getAddress().getHostAddress());
        assertEquals(port, MetricsAddress.parse(text).getPort());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":9400",
                "x",
                "-1",
                "65536",
                "999999",
                "host.example:9400",
                "::1:9400",
                "1.2.3.4",
                "1.2.3:9400:1",
                "[1.2.3.4:1",
                "127.0.0.1: 1"
            })
    void givenOtherText_whenParsed_thenErrorNamesTextAndForms(String text) {
        String message =
                assertThrows(IllegalArgumentException.class, () -> MetricsAddress.parse(text))
                        .getMessage();
        assertTrue(message.startsWith(text + ", expected PORT, ADDRESS:PORT"), message);
    }
}
