package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of unmodified CUDA programs in a real virtual machine without a GPU: QEMU, Linux,
/// `libcuda.so.1`, and the function's BARs in sysfs, as a user without root's permissions.
@Tag("realguest")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class CudaMachineTest {
    private static final String GPU = "soft,vram=256M";
    private static final String REFUSED = "ok: without the udev rule, the user guest has no device";
    private static final String SUM_IS_RIGHT =
            "vectoradd: passed: the sums of 1000003 elements are right";
    private static final String JCUDA_PASSED = "jcuda: passed";

    /// Tests a program in C beside JCuda. Before, another program has died; afterwards, a last one
    /// starts. The machine has sessions for two programs, which must therefore begin anew.
    @Test
    void givenMachineWithTwoSessions_whenProgramsDieAndEnd_thenNextProgramsVerifyTheirResults()
            throws InterruptedException {
        RunReport report =
                PassingRun.of(
                        RunOptions.of(RunOptions.DEFAULT_KERNEL, RunOptions.CUDA)
                                .withVms(
                                        machine(
                                                "cuda",
                                                RunOptions.DEFAULT_KERNEL,
                                                Map.of("sessions", "2")))
                                .withGpu(GPU)
                                .withArguments(
                                        "spin=2000,4",
                                        "kill",
                                        "vectoradd",
                                        "jcuda",
                                        "then",
                                        "mmul=64"));

        requireOutput(
                report.vms().getFirst(),
                REFUSED,
                "ok: spin=2000,4 is killed",
                SUM_IS_RIGHT,
                JCUDA_PASSED);
        requireVerified(report.vms().getFirst(), "mmul", 64);
        assertEquals(4, report.server().at("/vms/0/connections").asInt());
        assertTrue(report.server().at("/gpu/counters/COMPUTE_LAUNCHES").asLong() > 0);
    }

    @Test
    @Tag("long")
    void givenTwoMachinesWithDifferentLinux_whenFiveProgramsRunInEach_thenAllResultsAreVerified()
            throws InterruptedException {
        RunReport report =
                PassingRun.of(
                        RunOptions.of(RunOptions.DEFAULT_KERNEL, RunOptions.CUDA)
                                .withVms(
                                        machine("old", "6.1", Map.of()),
                                        machine("new", "7.2", Map.of()))
                                .withGpu(GPU)
                                .withArguments(
                                        "vectoradd",
                                        "jcuda",
                                        "mmul=128",
                                        "lud=64",
                                        "pincpy=4000000"));

        for (int i = 0; i < 2; i++) {
            RunReport.Vm vm = report.vms().get(i);
            requireOutput(vm, REFUSED, SUM_IS_RIGHT, JCUDA_PASSED);
            requireVerified(vm, "mmul", 128);
            requireVerified(vm, "lud", 64);
            requireVerified(vm, "pincpy", 4_000_000);
            assertEquals(5, report.server().at("/vms/%d/connections".formatted(i)).asInt());
        }
    }

    private static VmSpec machine(String name, String kernel, Map<String, String> others) {
        Map<String, String> keys = new HashMap<>(others);
        keys.put("mode", "cuda");
        keys.put("via", "vfio-user");
        return new VmSpec(name, kernel, keys);
    }

    private static void requireOutput(RunReport.Vm vm, String... lines) {
        List<String> output = vm.verdict().output();
        for (String line : lines) {
            assertTrue(output.contains(line), output::toString);
        }
    }

    private static void requireVerified(RunReport.Vm vm, String workload, int size) {
        String line = "%s=%d: %s, size %d: verified".formatted(workload, size, workload, size);
        List<String> output = vm.verdict().output();
        assertTrue(output.stream().anyMatch(each -> each.startsWith(line)), output::toString);
    }
}
