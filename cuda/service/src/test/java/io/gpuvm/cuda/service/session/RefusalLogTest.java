package io.gpuvm.cuda.service.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/// Tests of the log of refused calls.
class RefusalLogTest {
    @Test
    void givenNameWithLineFeedsAndControls_whenLogged_thenMessageIsOneLineOfPrintableText() {
        assertEquals(
                "variable=x?10:00 ERROR?[31m forged, expected one of [a?]",
                RefusalLog.printable(
                        "variable=x\n10:00 ERROR\u001b[31m forged, expected one of [a\u202e]"));
    }

    @Test
    void givenLongName_whenLogged_thenMessageIsShort() {
        assertEquals("n".repeat(400) + "...", RefusalLog.printable("n".repeat(4096)));
    }
}
