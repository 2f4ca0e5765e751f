package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.cuda.ProgramsInC;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.ServerProcess;
import io.gpuvm.guests.real.ServerStart;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.request.MeasurementRequests;
import java.io.BufferedReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Test of the workloads in C, which answer the same requests as `gpuvm measure`.
@Tag("commands")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RequestsInCTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SIZE = 40;

    /// Backend and program of all tests: a failed request must not affect later ones.
    private static RunFolder folder;

    private static Children children;
    private static Writer requests;
    private static BufferedReader answers;
    private static JsonNode greeting;

    @BeforeAll
    static void start() throws Exception {
        Path root = Path.of(System.getProperty("gpuvm.root"));
        assumeTrue(
                Files.exists(root.resolve("cuda/client/target/lib/libcuda.so.1")),
                "no C compiler is installed");
        folder = new RunFolder(false);
        children = new Children();
        ServerStart.start(
                List.of(
                        "serve",
                        "--gpu",
                        "soft,vram=256M",
                        "--vm",
                        "c,mode=cuda,socket=" + folder.socket("c"),
                        "--vm",
                        "java,mode=pv,socket=" + folder.socket("java")),
                ServerProcess.DEFAULT,
                folder,
                children,
                _ -> {});
        Process program =
                children.startTalking(
                        ProgramsInC.prepare().workloads("-"),
                        io.gpuvm.guests.cuda.CudaLibrary.ofThisBuild()
                                .environment(folder.socket("c"), System.getenv()),
                        folder.path().resolve("program.log"));
        requests = program.outputWriter();
        answers = program.inputReader();
        greeting = JSON.readTree(answers.readLine());
    }

    @AfterAll
    static void end() {
        if (folder != null) {
            children.close();
            folder.close();
        }
    }

    @Test
    void givenSameRequests_whenAnsweredInCAndJava_thenAnswersHaveSameKeysAndWork()
            throws Exception {
        try (GpuContext context = GpuContext.open(PvTransport.connect(folder.socket("java")));
                MeasurementRequests inJava = new MeasurementRequests(context, Map::of)) {
            assertEquals(keys(JSON.readTree(inJava.greeting(1))), keys(greeting));
            assertTrue(greeting.path("ready").asBoolean());
            assertTrue(greeting.path("contextNs").asLong() > 0);
            for (String workload : ProgramsInC.WORKLOADS) {
                String request =
                        "{\"id\":7,\"do\":\"run\",\"workload\":\"%s\",\"size\":%d,\"seed\":2}"
                                .formatted(workload, SIZE);
                JsonNode java = JSON.readTree(inJava.answer(request));
                JsonNode c = send(request);
                assertEquals(keys(java), keys(c));
                assertEquals(java.path("work"), c.path("work"), workload);
                assertEquals(keys(java.path("phasesNs")), keys(c.path("phasesNs")));
                assertEquals(7, c.path("id").asInt());
                long sumNs = 0;
                for (JsonNode each : c.path("phasesNs")) {
                    sumNs += each.asLong();
                }
                assertEquals(sumNs, c.path("ns").asLong());
            }
        }
    }

    private static List<String> keys(JsonNode node) {
        return node.properties().stream().map(Map.Entry::getKey).sorted().toList();
    }

    @Test
    void givenInitializedRun_whenPhasesAreRepeated_thenResultIsVerified() throws Exception {
        ask("{'do':'prepare','workload':'mmul','size':40,'seed':1}");
        ask("{'do':'phase','phase':'initialize'}");
        ask("{'do':'wipe'}");
        for (int i = 0; i < 3; i++) {
            for (String phase : List.of("copyIn", "launch", "copyOut")) {
                assertTrue(
                        ask("{'do':'phase','phase':'%s'}".formatted(phase)).path("ns").asLong()
                                > 0);
            }
        }
        ask("{'do':'verify'}");
        assertEquals(
                1, ask("{'do':'phase','phase':'close'}").path("work").path("launches").asInt());
        assertError("no run is prepared", "{'do':'verify'}");
    }

    @Test
    void givenRepeatedMeasurement_whenRequested_thenAnswerHasAllTimes() throws Exception {
        for (String request :
                List.of(
                        "{'do':'copy','direction':'in','bytes':4096,'count':5}",
                        "{'do':'copy','direction':'out','bytes':70000,'count':5}",
                        "{'do':'delay','count':5}")) {
            JsonNode times = ask(request).path("timesNs");
            assertEquals(5, times.size());
            times.forEach(each -> assertTrue(each.asLong() > 0, times::toString));
        }
    }

    @Test
    void givenWrongRequests_whenAnswered_thenErrorsNameValuesAndNextRequestsSucceed()
            throws Exception {
        Map<String, String> errors =
                Map.of(
                        "{'do':'sort'}",
                        "do=sort, expected one of prepare, wipe, phase, verify, run, copy, delay",
                        "{'do':'copy','direction':'up','bytes':1,'count':1}",
                        "direction=up, expected one of in, out",
                        "{'do':'copy','direction':'in','bytes':0,'count':1}",
                        "bytes=0, expected 1 to",
                        "{'do':'delay','count':4097}",
                        "count=4097, expected 1 to 4096",
                        "{'do':'run','workload':'nop','size':0}",
                        "size=0, expected 1 to",
                        "{'do':'run','workload':'madd','size':1}",
                        "workload=madd, expected",
                        "{'do':'run','workload':'mmul','size':9000}",
                        "mmul: size=9000, expected 1 to 8192",
                        "{'do':'wipe'}",
                        "no run is prepared",
                        "{'do':",
                        "not a line of JSON");
        for (Map.Entry<String, String> each : errors.entrySet()) {
            assertError(each.getValue(), each.getKey());
            ask("{'do':'run','workload':'nop','size':5}");
        }
    }

    @Test
    void givenWipedMemoryOrTooLargeMemory_whenRequested_thenRunFailsAndNextRunHasAllMemory()
            throws Exception {
        for (int i = 0; i < 3; i++) {
            // 3 MiB of the session's VRAM in each run
            ask("{'do':'prepare','workload':'mmul','size':512,'seed':1}");
            ask("{'do':'phase','phase':'initialize'}");
            ask("{'do':'wipe'}");
            ask("{'do':'phase','phase':'copyOut'}");
            assertError("product[0]=0xffffffff, expected 0x", "{'do':'verify'}");
        }
        assertError(
                "CUDA_ERROR_OUT_OF_MEMORY",
                "{'do':'copy','direction':'in','bytes':200000000,'count':1}");
        ask("{'do':'run','workload':'pincpy','size':50000000}");
    }

    private JsonNode ask(String request) throws Exception {
        JsonNode answer = send(request.replace('\'', '"'));
        assertFalse(answer.has("error"), answer::toString);
        return answer;
    }

    private void assertError(String expected, String request) throws Exception {
        String error = send(request.replace('\'', '"')).path("error").asText();
        assertTrue(error.contains(expected), error);
    }

    private JsonNode send(String request) throws Exception {
        requests.write(request + "\n");
        requests.flush();
        return JSON.readTree(answers.readLine());
    }
}
