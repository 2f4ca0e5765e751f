package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.gpuvm.guests.cuda.CudaLibrary;
import io.gpuvm.guests.cuda.ProgramsInC;
import io.gpuvm.sched.measure.Fairness;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.StreamSupport;
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

    /// GPU time after which a program has certainly begun its loop.
    private static final long BEGUN_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final double LEAST_JAIN = 0.97;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final BlockingQueue<JsonNode> counters = new LinkedBlockingQueue<>();
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
        await(all -> isComputing(all, 0) && isComputing(all, 1), "the machines compute");
        List<Process> processes = PROCESSES.stream().map(name -> start(name, programs)).toList();
        await(all -> isComputing(all, 2) && isComputing(all, 3), "the processes compute");
        requireEqualShares("steady");

        flooding.send("");
        await(all -> waiting(all, 0) >= FLOODED_CHANNELS, "the flood waits for the GPU");
        requireEqualShares("with a flood in vm0");

        flooding.send("");
        await(all -> all.at("/vms/0/sessions/open").asInt() == 3, "the second flood begins");
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

    private static boolean isComputing(JsonNode all, int vm) {
        return all.path("vms").path(vm).at("/commands/gpuTimeNs").asLong() >= BEGUN_NS;
    }

    /// Returns the number of channels of a virtual machine that wait for their turn.
    private static int waiting(JsonNode all, int vm) {
        return all.path("vms").path(vm).at("/commands/waiting").asInt();
    }

    /// Waits for counters that meet a condition, and returns them.
    private JsonNode await(Predicate<JsonNode> condition, String what) throws InterruptedException {
        long untilNs = System.nanoTime() + LIMIT.toNanos();
        JsonNode last = MissingNode.getInstance();
        while (!condition.test(last)) {
            JsonNode next = counters.poll(untilNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                throw new AssertionError(
                        "timeout before: %s; last counters: %s".formatted(what, last.path("vms")));
            }
            last = next;
        }
        return last;
    }

    private void requireEqualShares(String what) throws InterruptedException {
        JsonNode before = await(all -> !all.isMissingNode(), what);
        JsonNode from = await(after(before, WARM_UP), what);
        JsonNode to = await(after(from, MEASURED), what);
        double seconds = (clockNs(to) - clockNs(from)) / 1e9;
        double[] charged = used(from, to, vm -> vm.at("/commands/gpuTimeNs").asLong() / 1e9);
        double[] device = used(from, to, CudaSharingTest::deviceSeconds);
        System.err.printf(
                Locale.ROOT,
                "cuda share, %s: %.1f s, charged %s: Jain %.4f, by the device %s: Jain %.4f%n",
                what,
                seconds,
                text(charged),
                Fairness.jain(charged),
                text(device),
                Fairness.jain(device));
        assertTrue(Fairness.jain(charged) >= LEAST_JAIN, () -> what + ": " + text(charged));
        assertTrue(Fairness.jain(device) >= LEAST_JAIN, () -> what + ": " + text(device));
    }

    private static Predicate<JsonNode> after(JsonNode before, Duration time) {
        return all -> clockNs(all) - clockNs(before) >= time.toNanos();
    }

    private static long clockNs(JsonNode all) {
        return all.path("clockNs").asLong();
    }

    private static double deviceSeconds(JsonNode vm) {
        return StreamSupport.stream(vm.path("deviceSeconds").spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .sum();
    }

    /// Returns the seconds that each virtual machine used between two moments.
    private static double[] used(JsonNode from, JsonNode to, ToDoubleFunction<JsonNode> total) {
        double[] used = new double[VMS];
        Arrays.setAll(
                used,
                vm ->
                        total.applyAsDouble(to.path("vms").path(vm))
                                - total.applyAsDouble(from.path("vms").path(vm)));
        return used;
    }

    private static String text(double[] seconds) {
        return Arrays.toString(
                Arrays.stream(seconds).map(each -> Math.round(each * 1000) / 1000.0).toArray());
    }
}
