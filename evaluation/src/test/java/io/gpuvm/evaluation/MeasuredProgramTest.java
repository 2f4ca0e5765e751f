package io.gpuvm.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class MeasuredProgramTest {
    private final List<String> sent = new ArrayList<>();
    private final MeasuredProgram program = new MeasuredProgram(sent::add, Duration.ofMillis(100));

    @Test
    void givenAnswerAmongOtherOutput_whenRequestIsSent_thenAnswerIsReturned() throws Exception {
        program.accept("{\"ready\":true,\"contextNs\":7}");
        program.accept("warning: something");
        program.accept("{\"id\":1,\"ns\":5}");

        assertEquals(7, program.awaitReady(Duration.ofMillis(100)).ns("contextNs"));
        assertEquals(5, program.ask("wipe").ns());
        assertEquals(List.of("{\"id\":1,\"do\":\"wipe\"}"), sent);
    }

    @Test
    void givenErrorAnswer_whenRequestIsSent_thenRequestIsRefusedAndProgramContinues()
            throws Exception {
        program.accept("{\"id\":1,\"error\":\"product[3]=1, expected=2\"}");
        program.accept("{\"id\":2,\"ns\":5}");

        RefusedRequestException e =
                assertThrows(RefusedRequestException.class, () -> program.ask("verify"));

        assertEquals("product[3]=1, expected=2", e.getMessage());
        assertEquals(5, program.ask("wipe").ns());
    }

    @Test
    void givenEndedProgram_whenRequestIsSent_thenEveryErrorNamesReasonAndLastLine() {
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
    void givenProgramThatAnswersOtherRequests_whenDeadlineHasPassed_thenGuestIsLost() {
        Thread flood =
                Thread.ofVirtual()
                        .start(() -> {
                            while (!Thread.currentThread().isInterrupted()) {
                                program.accept("{\"id\":7}");
                                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                            }
                        });
        GuestLostException e = assertThrows(GuestLostException.class, () -> program.ask("wipe"));
        flood.interrupt();

        assertEquals("the program does not answer request 1, limit=0 s", e.getMessage());
    }

    @Test
    void givenMoreAnswersThanLimit_whenRequestIsSent_thenGuestIsLost() {
        for (int i = 0; i <= MeasuredProgram.UNREAD_LIMIT; i++) {
            program.accept("{\"id\":7}");
        }
        GuestLostException e = assertThrows(GuestLostException.class, () -> program.ask("wipe"));

        assertEquals("unread answers=65, limit=64", e.getMessage());
    }

    @Test
    void givenAnswerBeyondLimit_whenRequestIsSent_thenGuestIsLost() {
        program.accept("{\"id\":1,\"x\":\"" + "x".repeat(MeasuredProgram.ANSWER_LIMIT) + "\"}");
        GuestLostException e = assertThrows(GuestLostException.class, () -> program.ask("wipe"));

        assertEquals("answer: characters=65551, limit=65536", e.getMessage());
    }

    @Test
    void givenLongErrorWithEscapeSequence_whenRequestIsSent_thenMessageIsOneLineOfBoundedLength() {
        program.accept("{\"id\":1,\"error\":\"\\u001b[2J\\n%s\"}".formatted("x".repeat(10_000)));
        String message =
                assertThrows(RefusedRequestException.class, () -> program.ask("verify"))
                        .getMessage();

        assertTrue(message.length() < 2 * Excerpt.LIMIT, message);
        assertTrue(message.startsWith(" [2J x"), message);
        assertTrue(message.endsWith("... (characters=10005)"), message);
    }

    @Test
    void givenSilentProgram_whenRequestIsSent_thenGuestIsLost() {
        GuestLostException e = assertThrows(GuestLostException.class, () -> program.ask("wipe"));

        assertTrue(e.getMessage().contains("does not answer"), e::getMessage);
    }
}
