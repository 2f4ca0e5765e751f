package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Test of an unmodified guest with a virtual GPU, concurrently with paravirtual guests on the same
/// backend.
@Tag("realguest")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class MixedGuestsTest {
    private static final String KERNEL = "6.12";
    private static final String PROGRAM = "copy";
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int SIZE = 64;
    private static final Map<String, String> WORKLOADS = Map.of("pv0", "mmul", "pv1", "srad");

    private final RunListener listener = new ProgressPrinter(System.err, false);
    private final RunFolder folder = new RunFolder(false);
    private final Children children = new Children();

    @AfterEach
    void end() {
        children.close();
        folder.close();
    }

    @Test
    void givenNouveauAndParavirtualGuests_whenAllWorkConcurrently_thenAllResultsAreCorrect()
            throws InterruptedException {
        List<VmSpec> vms = new ArrayList<>();
        vms.add(new VmSpec("vm0", KERNEL, Map.of("mode", "fv", "vram", "512M")));
        WORKLOADS.keySet().stream().sorted().forEach(name -> vms.add(paravirtual(name)));
        RunOptions options =
                RunOptions.of(KERNEL, PROGRAM)
                        .withVms(vms.getFirst())
                        .withTimeout(LIMIT)
                        .withGpu("soft,vram=640M");
        GuestFiles files = PreparedGuests.orSkip(options);
        GpuServer server = GpuServer.start(options.server(), vms, folder, children, listener);

        LiveGuest real =
                LiveGuest.powerOn(vms.getFirst(), options, files, folder, children, listener);
        List<Looper> loopers =
                vms.stream().skip(1).map(vm -> new Looper(vm.name(), folder, real)).toList();
        loopers.forEach(looper -> looper.thread.start());
        assertTrue(real.awaitEnd(LIMIT), "vm0: did not end within " + LIMIT);
        for (Looper looper : loopers) {
            looper.thread.join();
            assertNull(looper.failure, looper.name);
            assertTrue(looper.besideTheProgram > 0, looper.name + " never ran beside the program");
        }

        GuestVerdict verdict = real.verdict();
        JsonNode summary = server.stop();
        RunReport report =
                RunReport.of(
                        PROGRAM,
                        List.of(new RunReport.Vm(vms.getFirst(), verdict, 0, Map.of())),
                        List.of(),
                        summary);
        assertTrue(report.passed(), () -> report.toJson().toPrettyString());
        assertTrue(verdict.checksPassed() > 0);
        for (JsonNode vm : summary.path("vms")) {
            assertTrue(vm.at("/commands/gpuTimeNs").asLong() > 0, vm::toPrettyString);
        }
        assertEquals(vms.size(), summary.path("vms").size());
    }

    private static VmSpec paravirtual(String name) {
        return new VmSpec(name, KERNEL, Map.of("mode", "pv", "vram", "64M"));
    }

    /// Paravirtual guest that runs its workload repeatedly, in a new context for each run, until
    /// the virtual machine is off.
    private static final class Looper {
        final String name;
        final Thread thread;
        volatile Throwable failure;

        /// Number of verified runs that began and ended while the virtual machine's program ran.
        volatile int besideTheProgram;

        private final Path socket;
        private final LiveGuest real;

        Looper(String name, RunFolder folder, LiveGuest real) {
            this.name = name;
            this.real = real;
            socket = folder.socket(name);
            thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
        }

        private void run() {
            int rounds = 0;
            try {
                while (!real.hasEnded()) {
                    boolean begun = said(GuestEvent.Loaded.class);
                    try (GpuContext guest = GpuContext.open(PvTransport.connect(socket))) {
                        Task task = new Task(Workloads.named(WORKLOADS.get(name)), SIZE);
                        Timings _ = Timings.of(task, guest, ++rounds);
                    }
                    if (begun && !said(GuestEvent.Exited.class)) {
                        besideTheProgram++;
                    }
                }
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }

        private boolean said(Class<? extends GuestEvent> kind) {
            return real.events().stream().anyMatch(kind::isInstance);
        }
    }
}
