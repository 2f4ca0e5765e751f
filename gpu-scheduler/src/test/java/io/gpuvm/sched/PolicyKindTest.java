package io.gpuvm.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyKindTest {
    @Test
    void givenNameAlone_whenParsed_thenPolicyHasDefaultParameters() {
        for (PolicyKind kind : PolicyKind.ALL) {
            assertEquals(kind, PolicyKind.parse(kind.label()));
        }
        assertSame(PolicyKind.FIFO, PolicyKind.parse("fifo"));
    }

    @Test
    void givenParameters_whenParsed_thenDefaultsAreReplaced() {
        assertEquals(new PolicyKind.Credit(10_000_000), PolicyKind.parse("credit,period=10ms"));
        assertEquals(
                new PolicyKind.Band(30_000_000, 2_000_000_000, 300_000),
                PolicyKind.parse("band,window=2s,wait=300us"));
        assertEquals(
                new PolicyKind.Fair(100_000, 5, 20_000_000),
                PolicyKind.parse("fair,wait=100000ns,idle=5"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "round|policy=round, expected one of fifo, credit, band, fair",
                "''|policy=, expected one of fifo, credit, band, fair",
                "fifo,wait=1ms|policy=fifo,wait=1ms: parameter=wait, expected none",
                "band,size=3|policy=band,size=3: parameter=size, expected one of period,"
                        + " wait, window",
                "credit,period|policy=credit,period: 'period' is not of the form KEY=VALUE",
                "credit,period=1ms,period=2ms"
                        + "|policy=credit,period=1ms,period=2ms: key 'period' is given twice",
                "credit,period=30|policy=credit,period=30: period=30, expected a number with the"
                        + " unit ns, us, ms or s",
                "credit,period=ms|policy=credit,period=ms: period=, expected a number",
                "credit,period=0ms|period=0ns, expected 1ns to 60000000000ns",
                "credit,period=99999999999999999999s"
                        + "|policy=credit,period=99999999999999999999s:"
                        + " period=99999999999999999999, expected a number",
                "credit,period=61s|period=61000000000ns, expected 1ns to 60000000000ns",
                "fair,idle=101|idle=101, expected 0 to 100"
            })
    void givenInvalidText_whenParsed_thenErrorNamesCause(String text, String message) {
        Exception error =
                assertThrows(IllegalArgumentException.class, () -> PolicyKind.parse(text));

        assertEquals(message, error.getMessage());
    }
}
