package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of gpuvm's workloads in unmodified guests, through the guests' nouveau.
@Tag("realguest")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class GuestWorkloadsTest {
    private static final String[] TASKS = {"mmul=64", "cpy=64K", "bfs=1000"};
    private static final List<String> NAMES = List.of("mmul", "cpy", "bfs");

    @Test
    void givenTwoGuestsWithDifferentLinux_whenWorkloadsRun_thenEachGuestVerifiesAllResults()
            throws InterruptedException {
        RunReport report =
                PassingRun.of(
                        RunOptions.of("6.12", RunOptions.WORKLOAD)
                                .withArguments(TASKS)
                                .withGpu("soft,vram=1G")
                                .withVms(
                                        VmSpec.of("vm0", "6.12", "fv"),
                                        VmSpec.of("vm1", "7.2", "fv")));
        assertEquals(List.of(NAMES, NAMES), measured(report));
    }

    @Test
    @Tag("long")
    void givenOldestLinuxInPassThrough_whenWorkloadsRun_thenGuestVerifiesAllResults()
            throws InterruptedException {
        RunReport report =
                PassingRun.of(RunOptions.of("6.1", RunOptions.WORKLOAD).withArguments(TASKS));
        assertEquals(List.of(NAMES), measured(report));
    }

    /// Tests two processes, each of which needs 80 of the guest's 128 MiB of VRAM. If only one
    /// process runs, nouveau moves a buffer with M2MF once per run. A copy engine performs all
    /// other copies.
    @Test
    @Tag("long")
    void givenTwoProcessesWithMoreMemoryThanVram_whenBothCopy_thenBuffersMoveAndResultsAreCorrect()
            throws InterruptedException {
        int repetitions = 5;
        long bytes = 80L << 20;
        RunReport report =
                PassingRun.of(
                        RunOptions.of("6.12", RunOptions.WORKLOAD_PAIR)
                                .withArguments("cpy=80M", "--repeat", "" + repetitions)
                                .withVms(VmSpec.of("vm0", "6.12", "fv"))
                                .withGpu("soft,vram=128M"));
        List<String> output = report.vms().getFirst().verdict().output();
        for (int i = 1; i <= repetitions; i++) {
            String round = "round %d of %d".formatted(i, repetitions);
            assertEquals(2, Collections.frequency(output, round), output::toString);
        }
        long runs = output.stream().filter(line -> line.matches("(warm-up|round) .*")).count();
        long moved = report.server().at("/gpu/counters/M2MF_BYTES").asLong() - runs * bytes;
        assertTrue(moved >= 2 * bytes, () -> "bytes=" + moved);
    }

    /// Returns the names of the workloads in each guest's measurement.
    private static List<List<String>> measured(RunReport report) {
        List<List<String>> all = new ArrayList<>();
        for (RunReport.Vm vm : report.vms()) {
            List<String> names = new ArrayList<>();
            for (JsonNode workload : vm.verdict().measurement().path("workloads")) {
                names.add(workload.path("name").asText());
            }
            all.add(names);
        }
        return all;
    }
}
