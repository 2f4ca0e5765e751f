package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuredProgramTest {
    private final List<String> sent = new ArrayList<>();
    private final MeasuredProgram program = new MeasuredProgram(sent::add, Duration.ofMillis(100));

    @Test
    void givenAnswerAmongOtherOutput_whenAsked_thenAnswerIsReturned() throws Exception {
        program.accept("{\"ready\":true,\"contextNs\":7}");
        program.accept("warning: something");
        program.accept("{\"id\":1,\"ns\":5}");

        assertEquals(7, program.awaitReady(Duration.ofMillis(100)).path("contextNs").asInt());
        assertEquals(5, program.ask("wipe").path("ns").asInt());
        assertEquals(List.of("{\"id\":1,\"do\":\"wipe\"}"), sent);
    }

    @Test
    void givenErrorAnswer_whenAsked_thenRequestIsRefusedAndProgramContinues() throws Exception {
        program.accept("{\"id\":1,\"error\":\"product[3]=1, expected=2\"}");
        program.accept("{\"id\":2,\"ns\":5}");

        RefusedRequestException e =
                assertThrows(RefusedRequestException.class, () -> program.ask("verify"));

        assertEquals("product[3]=1, expected=2", e.getMessage());
        assertEquals(5, program.ask("wipe").path("ns").asInt());
    }

    @Test
    void givenEndedProgram_whenAsked_thenEveryRequestNamesReasonAndLastLine() {
        program.accept("Out of memory: killed");
        program.ended("the program ended: exit status 137");

        for (int i = 0; i < 2; i++) {
            GuestLostException e =
                    assertThrows(GuestLostException.class, () -> program.ask("wipe"));
            assertEquals(
                    "the program ended: exit status 137; last line: Out of memory: killed",
                    e.getMessage());
        }
    }

    @Test
    void givenSilentProgram_whenAsked_thenGuestIsLost() {
        GuestLostException e = assertThrows(GuestLostException.class, () -> program.ask("wipe"));

        assertTrue(e.getMessage().contains("does not answer"), e::getMessage);
    }
}
