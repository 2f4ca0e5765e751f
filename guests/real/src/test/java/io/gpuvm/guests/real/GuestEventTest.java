package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuestEventTest {
    @Test
    void givenLogRecord_whenParsed_thenLevelTimeAndTextAreSet() {
        assertEquals(
                new GuestEvent.Log("probe", 3, 7615126, "a \"quoted\" \\x5c line"),
                GuestEvent.parse(
                        "@gpuvm {\"event\":\"log\",\"phase\":\"probe\",\"level\":3,\"us\":7615126,"
                                + "\"text\":\"a \\\"quoted\\\" \\\\x5c line\"}"));
    }

    @Test
    void givenExpectedLog_whenParsed_thenPatternIsSet() {
        assertEquals(
                new GuestEvent.ExpectedLog("fault \\[READ\\]"),
                GuestEvent.parse(
                        "@gpuvm {\"event\":\"expect-log\",\"text\":\"fault \\\\[READ\\\\]\"}"));
    }

    @Test
    void givenProgress_whenParsed_thenCountAndTimeAreSet() {
        assertEquals(
                new GuestEvent.Progress("copies", 12345678901L, 9042),
                GuestEvent.parse(
                        "@gpuvm {\"event\":\"progress\",\"name\":\"copies\",\"count\":12345678901,"
                                + "\"ms\":9042}"));
    }

    @Test
    void givenCaseResultWithoutReason_whenParsed_thenReasonIsEmpty() {
        assertEquals(
                new GuestEvent.Case("Channel.copies", "pass", 12, ""),
                GuestEvent.parse(
                        "@gpuvm {\"event\":\"test\",\"name\":\"Channel.copies\",\"result\":\"pass\","
                                + "\"ms\":12}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Segmentation fault",
                "@gpuvm",
                "@gpuvm {\"event\":\"che",
                "@gpuvm []",
                "@gpuvm {\"event\":\"unheard-of\"}"
            })
    void givenUnknownEvent_whenParsed_thenLineIsPreservedAsText(String line) {
        assertEquals(line, assertInstanceOf(GuestEvent.Other.class, GuestEvent.parse(line)).line());
    }
}
