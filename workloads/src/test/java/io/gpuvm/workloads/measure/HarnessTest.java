package io.gpuvm.workloads.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.workloads.NativeGpu;
import io.gpuvm.workloads.Work;
import io.gpuvm.workloads.Workload;
import io.gpuvm.workloads.WorkloadRun;
import io.gpuvm.workloads.WorkloadSize;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.WrongResultException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Tests of measurements of two configurations: software GPUs with one worker and with two.
class HarnessTest {
    private static final int ROUNDS = 3;
    private static final Task MADD = new Task(Workloads.named("madd"), 20);
    private static final Task NOP = new Task(Workloads.named("nop"), 5);
    private static final Progress QUIET = (_, _, _) -> {};

    private static NativeGpu first;
    private static NativeGpu second;

    @BeforeAll
    static void open() {
        first = new NativeGpu("vram=64M,workers=1");
        second = new NativeGpu("vram=64M,workers=2");
    }

    @AfterAll
    static void close() {
        first.close();
        second.close();
    }

    @Test
    void givenTwoConfigurations_whenMeasured_thenRoundsAreInterleaved() {
        List<String> runs = new ArrayList<>();

        Harness.measure(
                plan(List.of(MADD, NOP)),
                (round, task, configuration) ->
                        runs.add(round + " " + task.workload().name() + " " + configuration));

        assertEquals(
                List.of(
                        "-1 madd two",
                        "-1 madd one",
                        "-1 nop two",
                        "-1 nop one",
                        "0 madd one",
                        "0 madd two",
                        "0 nop one",
                        "0 nop two",
                        "1 madd two",
                        "1 madd one",
                        "1 nop two",
                        "1 nop one",
                        "2 madd one",
                        "2 madd two",
                        "2 nop one",
                        "2 nop two"),
                runs);
    }

    @Test
    void givenShortTask_whenWarmedUp_thenTaskIsRepeatedUntilWarmUpTimeHasPassed() {
        List<Integer> rounds = new ArrayList<>();
        long start = System.nanoTime();
        long[] counted = new long[1];

        Harness.measure(
                plan(List.of(NOP), TimeUnit.MILLISECONDS.toNanos(200)),
                (round, _, _) -> {
                    rounds.add(round);
                    if (round == 0 && counted[0] == 0) {
                        counted[0] = System.nanoTime() - start;
                    }
                });

        assertTrue(counted[0] >= TimeUnit.MILLISECONDS.toNanos(200), () -> "ns=" + counted[0]);
        assertEquals(2 * ROUNDS, rounds.stream().filter(round -> round >= 0).count());
    }

    @Test
    void givenMeasurement_whenWrittenAsJson_thenJsonHasDocumentedKeys()
            throws JsonProcessingException {
        JsonNode json = json(Harness.measure(plan(List.of(MADD, NOP)), QUIET));

        assertEquals(ROUNDS, json.at("/rounds").asInt());
        assertEquals(1, json.at("/warmups").asInt());
        assertEquals(42, json.at("/seed").asInt());
        assertEquals("two", json.at("/configurations/1/name").asText());
        assertFalse(json.at("/configurations/1/gpu").asText().isEmpty());
        JsonNode madd = json.at("/workloads/0");
        assertEquals("madd", madd.at("/name").asText());
        assertEquals(20, madd.at("/size").asInt());
        assertEquals("rows and columns", madd.at("/sizeMeaning").asText());
        assertEquals(
                "{\"bytesIn\":3200,\"bytesOut\":1600,\"launches\":1,\"operations\":400,\"unit\":\"op\"}",
                madd.at("/work").toString());
        assertEquals("one", madd.at("/results/0/configuration").asText());
        for (String phase :
                List.of("initialize", "copyIn", "launch", "copyOut", "close", "total")) {
            assertTimes(madd.at("/results/1/phases/" + phase));
        }
        assertEquals(
                List.of(
                        "copyInBytesPerSecond",
                        "launchesPerSecond",
                        "operationsPerSecond",
                        "copyOutBytesPerSecond"),
                keys(madd.at("/results/0/rates")));
    }

    @Test
    void givenWorkWithoutCopies_whenWrittenAsJson_thenOnlyUsedPhasesHaveRatesAndRatios()
            throws JsonProcessingException {
        JsonNode json = json(Harness.measure(plan(List.of(NOP)), QUIET));

        JsonNode results = json.at("/workloads/0/results");
        assertEquals(List.of("launchesPerSecond"), keys(results.at("/0/rates")));
        assertTrue(results.at("/0/ratios").isMissingNode());
        JsonNode ratios = results.at("/1/ratios");
        assertEquals(List.of("to", "initialize", "launch", "close", "total"), keys(ratios));
        assertEquals("one", ratios.at("/to").asText());
        assertEquals(List.of("min", "q1", "median", "q3", "max"), keys(ratios.at("/launch")));
    }

    @Test
    void givenTwoConfigurations_whenCompared_thenRatiosAreComputedRoundByRound() {
        Measurement measurement = Harness.measure(plan(List.of(MADD)), QUIET);

        TaskResult one = measurement.results().getFirst().getFirst();
        TaskResult two = measurement.results().getFirst().getLast();
        double[] ratios = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            ratios[i] = (double) two.rounds().get(i).totalNs() / one.rounds().get(i).totalNs();
        }
        assertEquals(Spread.of(ratios), two.totalRatio(one));
        assertEquals(new Spread(1, 1, 1, 1, 1), two.ratio(Phase.LAUNCH, two));
    }

    @Test
    void givenMeasurement_whenPrinted_thenEachConfigurationHasRows() {
        String table = Harness.measure(plan(List.of(MADD, NOP)), QUIET).toTable();

        List<String> lines = table.lines().toList();
        assertEquals(1 + 2 * (3 + 4), lines.size(), table);
        assertTrue(lines.get(1).startsWith("madd               20  one "), table);
        assertTrue(lines.get(2).contains("±"), table);
        assertTrue(lines.get(3).contains("op/s") && lines.get(3).contains("B/s"), table);
        assertTrue(lines.get(4).contains("  two "), table);
        assertTrue(lines.get(7).contains("/ one"), table);
    }

    @Test
    void givenWrongResult_whenMeasured_thenErrorNamesRunAndElement() {
        Task wrong = new Task(new Wrong(), 1);

        MeasurementException e =
                assertThrows(
                        MeasurementException.class,
                        () -> Harness.measure(plan(List.of(NOP, wrong)), QUIET));

        assertEquals("wrong of size 1, two: sum[3]=4, expected=5", e.getMessage());
        assertInstanceOf(WrongResultException.class, e.getCause());
    }

    @Test
    void givenUnopenableConfiguration_whenMeasured_thenOtherContextsAreClosed() {
        List<GpuContext> opened = new ArrayList<>();
        Configuration good =
                new Configuration(
                        "good",
                        () -> {
                            opened.add(first.openContext());
                            return opened.getLast();
                        });
        Configuration bad =
                new Configuration(
                        "bad",
                        () -> {
                            throw new IllegalStateException("no GPU");
                        });
        MeasurementPlan plan = new MeasurementPlan(List.of(good, bad), List.of(NOP), 1, 0, 0, 0);

        assertThrows(IllegalStateException.class, () -> Harness.measure(plan, QUIET));

        assertThrows(GpuException.class, () -> opened.getFirst().allocate(1));
    }

    @Test
    void givenPlan_whenMeasured_thenOneLineIsPrintedForEachRound() {
        StringWriter text = new StringWriter();
        MeasurementPlan plan = plan(List.of(MADD, NOP));

        Harness.measure(plan, new RoundLines(new PrintWriter(text), plan));

        assertEquals(
                List.of("warm-up 1 of 1", "round 1 of 3", "round 2 of 3", "round 3 of 3"),
                text.toString().lines().toList());
    }

    private static MeasurementPlan plan(List<Task> tasks) {
        return plan(tasks, 0);
    }

    private static MeasurementPlan plan(List<Task> tasks, long warmupNs) {
        return new MeasurementPlan(
                List.of(
                        new Configuration("one", first::openContext),
                        new Configuration("two", second::openContext)),
                tasks,
                ROUNDS,
                1,
                warmupNs,
                42);
    }

    private static JsonNode json(Measurement measurement) throws JsonProcessingException {
        return new ObjectMapper().readTree(measurement.toJson(Map.of()));
    }

    private static void assertTimes(JsonNode times) {
        assertEquals(
                List.of("minNs", "q1Ns", "medianNs", "q3Ns", "maxNs", "samplesNs"), keys(times));
        long[] samples = new long[ROUNDS];
        assertEquals(ROUNDS, times.at("/samplesNs").size());
        for (int i = 0; i < ROUNDS; i++) {
            samples[i] = times.at("/samplesNs/" + i).asLong();
            assertTrue(samples[i] > 0);
        }
        Arrays.sort(samples);
        assertEquals(samples[0], times.at("/minNs").asLong());
        assertEquals(samples[1], times.at("/medianNs").asLong());
        assertEquals(samples[2], times.at("/maxNs").asLong());
    }

    private static List<String> keys(JsonNode node) {
        List<String> keys = new ArrayList<>();
        node.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    /// Workload with a wrong result.
    private static final class Wrong implements Workload {
        @Override
        public String name() {
            return "wrong";
        }

        @Override
        public String summary() {
            return "returns a wrong result";
        }

        @Override
        public WorkloadSize size() {
            return new WorkloadSize("runs", 1, 1, 1);
        }

        @Override
        public WorkloadRun prepare(GpuContext context, int size, long seed) {
            return new WorkloadRun() {
                @Override
                public void initialize() {}

                @Override
                public void copyIn() {}

                @Override
                public void launch() {}

                @Override
                public void copyOut() {}

                @Override
                public void verify() {
                    throw new WrongResultException("sum", 3, 4, 5);
                }

                @Override
                public Work work() {
                    return new Work(0, 0, 0, 0, "op");
                }

                @Override
                public void close() {}
            };
        }
    }
}
