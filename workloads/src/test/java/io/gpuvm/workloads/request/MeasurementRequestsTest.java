package io.gpuvm.workloads.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.NativeGpu;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasurementRequestsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LAUNCHES = 5;

    private final NativeGpu gpu = new NativeGpu("vram=64M");
    private final GpuContext context = gpu.openContext();
    private final MeasurementRequests requests =
            new MeasurementRequests(context, () -> Map.of("counters", Map.of("DOORBELLS", 7L)));

    @AfterEach
    void close() {
        requests.close();
        context.close();
        gpu.close();
    }

    @Test
    void givenContext_whenGreetingIsRequested_thenGreetingNamesGpuAndDuration() throws Exception {
        JsonNode greeting = JSON.readTree(requests.greeting(42));

        assertTrue(greeting.path("ready").asBoolean());
        assertEquals(context.limits().name(), greeting.path("gpu").asText());
        assertEquals(42, greeting.path("contextNs").asLong());
        assertEquals(7, greeting.path("counters").path("DOORBELLS").asLong());
    }

    @Test
    void givenPhasesInOrder_whenRequested_thenAnswersHaveDurationsAndLastAnswerHasWork()
            throws Exception {
        ask("{'id':1,'do':'prepare','workload':'nop','size':5,'seed':1}");
        timed("initialize");
        ask("{'do':'wipe'}");
        timed("copyIn");
        timed("launch");
        timed("copyOut");
        ask("{'do':'verify'}");
        JsonNode last = timed("close");

        assertEquals(LAUNCHES, last.path("work").path("launches").asInt());
        assertError("no run is prepared", "{'do':'verify'}");
    }

    @Test
    void givenInitializedRun_whenPhasesAreRepeated_thenResultIsVerified() throws Exception {
        ask("{'do':'prepare','workload':'madd','size':20,'seed':1}");
        timed("initialize");
        for (int i = 0; i < 3; i++) {
            for (String phase : List.of("copyIn", "launch", "copyOut")) {
                timed(phase);
            }
        }

        ask("{'do':'verify'}");
        timed("close");
    }

    @Test
    void givenWipedMemory_whenVerifiedWithoutLaunch_thenAnswerNamesDifference() throws Exception {
        ask("{'do':'prepare','workload':'madd','size':20,'seed':1}");
        timed("initialize");
        ask("{'do':'wipe'}");
        timed("copyOut");

        JsonNode answer = answer("{'do':'verify'}");

        assertTrue(answer.path("error").asText().contains("expected="), answer::toString);
        assertError("no run is prepared", "{'do':'verify'}");
    }

    @Test
    void givenRunRequest_whenAnswered_thenTotalIsSumOfPhases() throws Exception {
        JsonNode answer =
                ask("{'id':3,'do':'run','workload':'mix:share=30,transfer=65536','size':100}");

        long sumNs = 0;
        for (JsonNode each : answer.path("phasesNs")) {
            assertTrue(each.asLong() > 0, answer::toString);
            sumNs += each.asLong();
        }
        assertEquals(5, answer.path("phasesNs").size());
        assertEquals(sumNs, answer.path("ns").asLong());
        assertEquals(3, answer.path("id").asInt());
        assertTrue(answer.path("work").path("bytesIn").asLong() > 0);
        assertEquals(7, answer.path("counters").path("DOORBELLS").asLong());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'do':'copy','direction':'in','bytes':4096,'count':5}",
                "{'do':'copy','direction':'out','bytes':70000,'count':5}",
                "{'do':'delay','count':5}"
            })
    void givenRepeatedMeasurement_whenRequested_thenAnswerHasAllTimes(String request)
            throws Exception {
        JsonNode times = ask(request).path("timesNs");

        assertEquals(5, times.size());
        times.forEach(each -> assertTrue(each.asLong() > 0, times::toString));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'do':'sort'} | do=sort, expected one of prepare, wipe, phase, verify, run, copy,",
                "{'do':'copy','direction':'up','bytes':1,'count':1} | direction=up, expected one",
                "{'do':'copy','direction':'in','bytes':0,'count':1} | bytes=0, expected 1 to",
                "{'do':'delay','count':0} | count=0, expected 1 to 2147483647",
                "{'do':'delay','count':4294967297} | count=4294967297, expected 1 to 2147483647",
                "{'do':'run','workload':'nop','size':0} | size=0, expected 1 to 2147483647",
                "{'do':'run','workload':'sort','size':1} | workload=sort, expected",
                "{'do':'phase','phase':'end'} | phase=end, expected one of initialize, copyIn,",
                "{'do':'wipe'} | no run is prepared"
            })
    void givenWrongRequest_whenAnswered_thenErrorNamesValueAndNextRequestSucceeds(
            String request, String error) throws Exception {
        assertError(error, request);
        ask("{'do':'run','workload':'nop','size':5}");
    }

    @Test
    void givenLineThatIsNotJson_whenAnswered_thenErrorIsReportedAndNextRequestSucceeds()
            throws Exception {
        assertError("not a line of JSON", "{'do':");
        ask("{'do':'delay','count':1}");
    }

    @Test
    void givenOpenRun_whenOtherRunIsPrepared_thenFirstRunIsClosed() throws Exception {
        for (int i = 0; i < 20; i++) {
            // 20 runs of 12 MiB each do not fit in 64 MiB of VRAM at once.
            ask("{'do':'prepare','workload':'madd','size':1024,'seed':1}");
            timed("initialize");
        }
    }

    private JsonNode timed(String phase) throws JsonProcessingException {
        JsonNode answer = ask("{'do':'phase','phase':'%s'}".formatted(phase));
        assertTrue(answer.path("ns").asLong() > 0, answer::toString);
        return answer;
    }

    private JsonNode ask(String request) throws JsonProcessingException {
        JsonNode answer = answer(request);
        assertFalse(answer.has("error"), answer::toString);
        return answer;
    }

    private void assertError(String expected, String request) throws JsonProcessingException {
        String error = answer(request).path("error").asText();
        assertTrue(error.contains(expected), error);
    }

    /// @param request request with apostrophes instead of quotation marks
    private JsonNode answer(String request) throws JsonProcessingException {
        return JSON.readTree(requests.answer(request.replace('\'', '"')));
    }
}
