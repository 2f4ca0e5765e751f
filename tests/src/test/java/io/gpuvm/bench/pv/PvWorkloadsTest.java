package io.gpuvm.bench.pv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.daemon.Backend;
import io.gpuvm.daemon.BackendConfig;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.IdleMode;
import io.gpuvm.daemon.VmConfig;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.Workload;
import io.gpuvm.workloads.WorkloadSize;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the results of guests on a shared GPU, compared with the results of the CPU.
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PvWorkloadsTest {
    private static final int GUESTS = 8;
    private static final long SEED = 1;

    @TempDir private Path folder;

    private final AtomicBoolean failed = new AtomicBoolean();

    @ParameterizedTest
    @ValueSource(strings = {"interpreter", "compiled"})
    void givenOneGuest_whenEveryWorkloadRuns_thenAllResultsAreVerified(String engine) {
        try (Backend _ = serve(engine, 1);
                GpuContext guest = connect(0)) {
            for (Workload workload : Workloads.all()) {
                run(workload, guest);
            }
        }
        assertEquals(false, failed.get());
    }

    @Tag("soak")
    @ParameterizedTest
    @ValueSource(strings = {"interpreter", "compiled"})
    void givenEightGuests_whenEveryWorkloadRunsConcurrently_thenAllResultsAreVerified(String engine)
            throws Exception {
        try (Backend _ = serve(engine, GUESTS);
                ExecutorService pool = Executors.newFixedThreadPool(GUESTS)) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < GUESTS; i++) {
                all.add(pool.submit(everyWorkload(i)));
            }
            for (Future<Integer> each : all) {
                assertEquals(Workloads.all().size(), each.get());
            }
        }
        assertEquals(false, failed.get());
    }

    @Tag("soak")
    @ParameterizedTest
    @ValueSource(strings = {"interpreter"})
    void givenGuestWithHalfOfMemory_whenGuestDisconnects_thenNextGuestGetsMemory(String engine) {
        try (Backend _ = serve(engine, 1)) {
            for (int i = 0; i < 20; i++) {
                try (GpuContext guest = connect(0)) {
                    assertTrue(guest.allocate(guest.limits().vramBytes() / 2).bytes() > 0);
                    run(Workloads.named("pincpy"), guest);
                }
            }
        }
    }

    /// Runs all workloads; each guest begins with a different workload.
    private Callable<Integer> everyWorkload(int guest) {
        return () -> {
            List<Workload> all = Workloads.all();
            try (GpuContext context = connect(guest)) {
                for (int i = 0; i < all.size(); i++) {
                    run(all.get((i + 2 * guest) % all.size()), context);
                }
            }
            return all.size();
        };
    }

    private static void run(Workload workload, GpuContext guest) {
        WorkloadSize size = workload.size();
        int small = Math.max(size.least(), size.usual() / 32);
        Timings.of(new Task(workload, small), guest, SEED);
    }

    private Backend serve(String engine, int guests) {
        List<VmConfig> vms = new ArrayList<>();
        for (int i = 0; i < guests; i++) {
            vms.add(VmConfig.parse("guest%d,mode=pv,socket=%s".formatted(i, socket(i))));
        }
        GpuSpec gpu = GpuSpec.parse("soft,vram=1G,engine=" + engine);
        BackendConfig config =
                new BackendConfig(gpu, vms, IdleMode.BACKOFF, BackendConfig.DEFAULT_COMMAND_LIMIT);
        return Backend.start(config, () -> failed.set(true));
    }

    private GpuContext connect(int guest) {
        return GpuContext.open(PvTransport.connect(socket(guest)));
    }

    private Path socket(int guest) {
        return folder.resolve("s" + guest);
    }
}
