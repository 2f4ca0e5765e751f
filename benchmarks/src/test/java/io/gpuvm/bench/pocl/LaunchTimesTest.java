package io.gpuvm.bench.pocl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.bench.pocl.LaunchTimes.Round;
import io.gpuvm.workloads.Work;
import io.gpuvm.workloads.WorkloadRun;
import io.gpuvm.workloads.WrongResultException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaunchTimesTest {
    private static final Work WORK = new Work(8, 4, 1, 2, "op");

    private final List<String> calls = new ArrayList<>();

    @Test
    void givenRoundsAndWarmUp_whenMeasured_thenSidesAlternateAndWarmUpIsExcluded() {
        LaunchTimes times = LaunchTimes.measure(run("soft", WORK), run("pocl", WORK), 1, 2);

        assertEquals(2, times.rounds().size());
        assertEquals(
                List.of("pocl", "soft", "soft", "pocl", "pocl", "soft"),
                calls.stream()
                        .filter(call -> call.endsWith("launch"))
                        .map(call -> call.substring(0, call.indexOf(' ')))
                        .toList());
    }

    @Test
    void givenRound_whenMeasured_thenDataIsCopiedBeforeLaunchAndResultIsVerifiedAfterLaunch() {
        LaunchTimes.measure(run("soft", WORK), run("pocl", WORK), 0, 1);

        assertEquals(
                List.of("soft wipe", "soft copyIn", "soft launch", "soft copyOut", "soft verify"),
                calls.subList(0, 5));
    }

    @Test
    void givenWrongResult_whenMeasured_thenMeasurementFails() {
        WorkloadRun wrong =
                new RecordedRun("pocl", WORK) {
                    @Override
                    public void verify() {
                        throw new WrongResultException("product", 1, 2, 3);
                    }
                };

        assertThrows(
                WrongResultException.class,
                () -> LaunchTimes.measure(run("soft", WORK), wrong, 0, 1));
    }

    @Test
    void givenSidesWithDifferentWork_whenMeasured_thenErrorNamesBothAmounts() {
        Work more = new Work(8, 4, 2, 2, "op");

        String message =
                assertThrows(
                                IllegalStateException.class,
                                () ->
                                        LaunchTimes.measure(
                                                run("soft", WORK), run("pocl", more), 0, 1))
                        .getMessage();

        assertTrue(message.contains(more.toString()), message);
        assertTrue(message.contains(WORK.toString()), message);
    }

    @Test
    void givenRounds_whenSummarized_thenRatioIsMedianOfRatios() {
        LaunchTimes times =
                new LaunchTimes(
                        WORK, List.of(new Round(10, 5), new Round(90, 10), new Round(12, 4)));

        assertEquals(3, times.ratio().median());
        assertEquals(2, times.ratio().least());
        assertEquals(9, times.ratio().most());
        assertEquals(12, times.soft().median());
        assertEquals(5, times.pocl().median());
    }

    private WorkloadRun run(String name, Work work) {
        return new RecordedRun(name, work);
    }

    private class RecordedRun implements WorkloadRun {
        private final String name;
        private final Work work;

        RecordedRun(String name, Work work) {
            this.name = name;
            this.work = work;
        }

        @Override
        public void initialize() {
            calls.add(name + " initialize");
        }

        @Override
        public void wipe() {
            calls.add(name + " wipe");
        }

        @Override
        public void copyIn() {
            calls.add(name + " copyIn");
        }

        @Override
        public void launch() {
            calls.add(name + " launch");
        }

        @Override
        public void copyOut() {
            calls.add(name + " copyOut");
        }

        @Override
        public void verify() {
            calls.add(name + " verify");
        }

        @Override
        public Work work() {
            return work;
        }

        @Override
        public void close() {
            calls.add(name + " close");
        }
    }
}
