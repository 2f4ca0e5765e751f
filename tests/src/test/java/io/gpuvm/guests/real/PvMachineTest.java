package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Test of a paravirtual guest in a real virtual machine: QEMU, Linux, a JVM, and the function's
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
}
