package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of paravirtual guests in a real virtual machine: QEMU, Linux, a JVM, and the function's
/// BARs in sysfs.
@Tag("realguest")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PvMachineTest {
    @Test
    void givenMachineWithPvFunction_whenWorkloadRuns_thenResultIsVerifiedAndMeasured()
            throws InterruptedException {
        VmSpec machine =
                new VmSpec(
                        "pv", RunOptions.DEFAULT_KERNEL, Map.of("mode", "pv", "via", "vfio-user"));
        RunReport report =
                PassingRun.of(
                        RunOptions.of(RunOptions.DEFAULT_KERNEL, RunOptions.WORKLOAD)
                                .withVms(machine)
                                .withGpu("soft,vram=256M")
                                .withArguments("mmul=64"));

        GuestVerdict verdict = report.vms().getFirst().verdict();
        assertEquals(
                List.of("mmul, size 64: verified"),
                verdict.output().stream()
                        .filter(line -> line.contains("verified"))
                        .map(line -> line.substring(0, line.indexOf(" (")))
                        .toList());
        JsonNode workload = verdict.measurement().at("/workloads/0");
        assertEquals("mmul", workload.path("name").asText());
        assertEquals(64, workload.path("size").asInt());
        assertEquals("pv", verdict.measurement().at("/configurations/0/name").asText());
    }

    /// Tests two processes, each of which claims a session of the function by a lock on its BAR.
    @Test
    void givenMachineWithPvFunction_whenTwoProcessesCompute_thenBothResultsAreVerified()
            throws InterruptedException {
        VmSpec machine =
                new VmSpec(
                        "pv", RunOptions.DEFAULT_KERNEL, Map.of("mode", "pv", "via", "vfio-user"));
        RunReport report =
                PassingRun.of(
                        RunOptions.of(RunOptions.DEFAULT_KERNEL, RunOptions.WORKLOAD_PAIR)
                                .withVms(machine)
                                .withGpu("soft,vram=256M")
                                .withArguments("mmul=64", "--repeat", "3"));

        List<String> output = report.vms().getFirst().verdict().output();
        // Each process verifies its results, and fails the run if one is wrong.
        assertEquals(2, Collections.frequency(output, "round 3 of 3"), output::toString);
        assertEquals(2, report.server().at("/vms/0/connections").asInt());
    }
}
