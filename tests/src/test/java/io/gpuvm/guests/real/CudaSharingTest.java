package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.guests.cuda.CudaLibrary;
import io.gpuvm.guests.cuda.ProgramsInC;
import io.gpuvm.sched.measure.Fairness;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Test of equal shares of the GPU's time for CUDA programs in two virtual machines and in two
/// processes of the host. Each program keeps four kernels in flight.
@Tag("realguest")
@Tag("long")
@Tag("alone")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class CudaSharingTest {
    private static final String KERNEL = RunOptions.DEFAULT_KERNEL;
    private static final List<String> MACHINES = List.of("vm0", "vm1");
    private static final List<String> PROCESSES = List.of("local0", "local1");
    private static final int VMS = MACHINES.size() + PROCESSES.size();

    /// Duration of a kernel in microseconds, and number of kernels in flight.
    private static final int LENGTH_US = 2000;

    private static final int LAUNCHES = 4;
    private static final String STEADY = "spin=%d,%d".formatted(LENGTH_US, LAUNCHES);

    /// Program that launches kernels of 500 us on 16 streams without waiting. The streams share the
    /// channels that the virtual machine has.
    private static final String FLOOD = "spin=500,0,16";

    /// Number of waiting channels that shows the flood: the program beside it has one.
    private static final int FLOODED_CHANNELS = 4;

    /// Program that launches kernels of 1 us without waiting.
    private static final String SHORT_FLOOD = "spin=1,0";

    private static final Duration MEASURED = Duration.ofSeconds(10);

    /// Time for which all programs compute before a measurement.
    private static final Duration WARM_UP = Duration.ofSeconds(3);

    private static final double LEAST_JAIN = 0.97;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final BackendCounters counters = new BackendCounters(LIMIT);
    private final RunListener listener = new CountersListener();
    private final RunFolder folder = new RunFolder(false);
    private final Children children = new Children();

    /// Prints progress, and keeps the backend's counters for the test.
    private final class CountersListener implements RunListener {
        private final RunListener printer = new ProgressPrinter(System.err, false);

        @Override
        public void onEvent(String vm, GuestEvent event) {
            printer.onEvent(vm, event);
        }

        @Override
        public void onProgress(String text) {
            printer.onProgress(text);
        }

        @Override
        public void onCounters(JsonNode summary) {
            counters.add(summary);
        }
    }

    @AfterEach
    void end() {
        children.close();
        folder.close();
    }

    @Test
    void givenTwoMachinesAndTwoProcesses_whenAllComputeAndOneFloods_thenSharesAreEqual()
            throws InterruptedException {
        List<VmSpec> vms = new ArrayList<>();
        MACHINES.forEach(name -> vms.add(vm(name, Map.of("mode", "cuda", "via", "vfio-user"))));
        PROCESSES.forEach(name -> vms.add(vm(name, Map.of("mode", "cuda"))));
        RunOptions options =
                RunOptions.of(KERNEL, RunOptions.CUDA)
                        .withVms(vms.get(0), vms.get(1))
                        .withTimeout(LIMIT)
                        .withGpu("soft,vram=256M");
        GuestFiles files = PreparedGuests.orSkip(options);
        ProgramsInC programs = ProgramsInC.prepare();
        GpuServer server = GpuServer.start(options.server(), vms, folder, children, listener);

        LiveGuest flooding =
                powerOn(
                        vms.get(0),
                        options.withArguments(STEADY, "pause", FLOOD, "pause", SHORT_FLOOD),
                        files);
        LiveGuest steady = powerOn(vms.get(1), options.withArguments(STEADY), files);
        counters.await(
                all -> BackendCounters.isComputing(all, 0) && BackendCounters.isComputing(all, 1),
                "the machines compute");
        List<Process> processes = PROCESSES.stream().map(name -> start(name, programs)).toList();
        counters.await(
                all -> BackendCounters.isComputing(all, 2) && BackendCounters.isComputing(all, 3),
                "the processes compute");
        requireEqualShares("steady");

        flooding.send("");
        counters.await(
                all -> BackendCounters.waiting(all, 0) >= FLOODED_CHANNELS,
                "the flood waits for the GPU");
        requireEqualShares("with a flood in vm0");

        flooding.send("");
        counters.await(
                all -> all.at("/vms/0/sessions/open").asInt() == 3, "the second flood begins");
        requireEqualShares("with two floods in vm0");

        for (LiveGuest guest : List.of(flooding, steady)) {
            guest.send("");
            assertTrue(guest.awaitEnd(LIMIT), guest.name() + ": did not end within " + LIMIT);
            assertEquals(List.of(), guest.verdict().failures(), guest.name());
            assertTrue(guest.verdict().checksPassed() > 0);
        }
        for (Process process : processes) {
            process.destroy();
            assertEquals(0, process.waitFor());
        }
        server.stop();
    }

    private static VmSpec vm(String name, Map<String, String> keys) {
        return new VmSpec(name, KERNEL, keys);
    }

    private LiveGuest powerOn(VmSpec vm, RunOptions options, GuestFiles files) {
        return LiveGuest.powerOn(vm, options, files, folder, children, listener);
    }

    private Process start(String name, ProgramsInC programs) {
        Path log = folder.path().resolve(name + ".log");
        return children.start(
                programs.spin(LENGTH_US, LAUNCHES),
                CudaLibrary.ofThisBuild().environment(folder.socket(name), System.getenv()),
                log,
                log);
    }

    private void requireEqualShares(String what) throws InterruptedException {
        BackendCounters.Use use = counters.measure(WARM_UP, MEASURED, VMS, what);
        double charged = Fairness.jain(use.charged());
        double device = Fairness.jain(use.device());
        System.err.printf(
                Locale.ROOT, "cuda share, %s: %s; Jain %.4f, %.4f%n", what, use, charged, device);
        assertTrue(charged >= LEAST_JAIN, () -> what + ": " + use);
        assertTrue(device >= LEAST_JAIN, () -> what + ": " + use);
    }
}
