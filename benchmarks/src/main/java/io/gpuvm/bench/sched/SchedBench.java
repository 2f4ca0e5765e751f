package io.gpuvm.bench.sched;

import io.gpuvm.daemon.BackendConfig;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.HostGpu;
import io.gpuvm.daemon.IdleMode;
import io.gpuvm.daemon.SharedGpu;
import io.gpuvm.daemon.VmConfig;
import io.gpuvm.daemon.VmMode;
import io.gpuvm.gf100.driver.FifoControl;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.owner.DeviceUse;
import io.gpuvm.owner.GpuOwner;
import io.gpuvm.owner.OwnerParts;
import io.gpuvm.owner.ScheduledEngine;
import io.gpuvm.owner.VmPart;
import io.gpuvm.port.CompletionRing;
import io.gpuvm.port.IovaShare;
import io.gpuvm.pv.host.PlaceKind;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.SoftGpuConfig;
import io.gpuvm.workloads.measure.Figures;
import io.gpuvm.workloads.measure.Spread;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `./gpuvm bench-sched`: cost that scheduling and the detection of completion add to a command.
///
/// The same command runs alternately on an unshared GPU, whose doorbell is rung immediately, and
/// through the owner of a shared GPU: first with GPU and owner on one thread that never sleeps,
/// then with a backend's usual threads. With threads, the added cost is compared with the cost of
/// waking a sleeping thread, and the submitter sleeps until the command has ended, as guests do;
/// the thread that detects the end records the time.
@Command(
        name = "bench-sched",
        description = "Measure the time that sharing a GPU adds to a command.")
public final class SchedBench implements OneLineErrors {
    private static final String GPU = "soft,vram=128M";
    private static final int ROUNDS = 15;

    /// Number of commands per round, within the number of requests that a virtual machine may make
    /// without a pause.
    private static final int COMPOSED = 500;

    /// Time after which the virtual machine may make as many requests again.
    private static final long ALLOWANCE_MS = 50;

    private static final int WARMUPS = 20;

    /// Number of rounds after which the JVM has compiled the code of both paths, with and without
    /// the owner. After 20 rounds, the JVM is still compiling the longer path.
    private static final int COMPOSED_WARMUPS = 200;

    private static final int THREADED = 100;

    /// Number of copies per command. A command takes about 95 us (`docs/benchmarks.md`), so that a
    /// thread that waits for the end falls asleep.
    private static final int COPIES = 600;

    private static final long ARENA_IOVA = 0x68_0000_0000L;
    private static final long RUNLIST_IOVA = 0x78_0000_0000L;
    private static final long MEMORY_BYTES = 1L << 32;
    private static final int INBOX_RECORDS = 64;
    private static final int QUEUE_LIMIT = 16;

    @Override
    public Integer call() {
        System.out.println("one thread that never sleeps, an empty command");
        composed();
        System.out.println("threads of a backend, all asleep, a command of about 95 us");
        threaded();
        return CommandLine.ExitCode.OK;
    }

    private static void composed() {
        SoftGpuConfig config = SoftGpuConfig.parse("vram=128M");
        try (SoftGpu own = new SoftGpu(config);
                SoftGpu shared = new SoftGpu(config);
                BenchMemory runlist =
                        new BenchMemory(shared, RUNLIST_IOVA, FifoControl.RUNLIST_BYTES);
                BenchMemory arena = new BenchMemory(shared, ARENA_IOVA, CommandChannel.BYTES);
                DirectGpu direct = new DirectGpu(own, 0)) {
            OwnerParts parts =
                    new OwnerParts(
                            shared,
                            runlist.segment(),
                            RUNLIST_IOVA,
                            new GpuScheduler(PolicyKind.FAIR, ScheduledEngine.COUNT, QUEUE_LIMIT),
                            new DeviceUse(shared.channelTimes()::ns, 1),
                            BackendConfig.DEFAULT_COMMAND_LIMIT.toNanos(),
                            System::nanoTime);
            try (GpuOwner owner = new GpuOwner(parts, () -> {})) {
                OwnedGpu owned =
                        new OwnedGpu(
                                owner.attach(
                                        new VmPart(
                                                "guest",
                                                new IovaShare(0, MEMORY_BYTES),
                                                arena.segment(),
                                                ARENA_IOVA,
                                                new CompletionRing(INBOX_RECORDS),
                                                () -> {})),
                                arena.segment(),
                                ARENA_IOVA,
                                0);
                double[] added = new double[ROUNDS];
                double[] alone = new double[ROUNDS];
                for (int round = -COMPOSED_WARMUPS; round < ROUNDS; round++) {
                    sleep(ALLOWANCE_MS);
                    double directNs = medianOf(COMPOSED, () -> direct.run(own::doWork));
                    double ownedNs =
                            medianOf(
                                    COMPOSED,
                                    () ->
                                            owned.run(() -> {
                                                owner.doWork(false);
                                                shared.doWork();
                                            }));
                    if (round >= 0) {
                        alone[round] = directNs;
                        added[round] = ownedNs - directNs;
                    }
                }
                print("unshared GPU", alone);
                print("added by the owner", added);
            }
        }
    }

    private static void threaded() {
        VmConfig vm = VmConfig.of("guest", VmMode.PV, Path.of("nowhere"));
        BackendConfig config =
                new BackendConfig(
                        GpuSpec.parse(GPU),
                        List.of(vm),
                        IdleMode.BLOCK,
                        BackendConfig.DEFAULT_COMMAND_LIMIT);
        Runnable failure = () -> System.err.println("a thread of the GPU or of the backend failed");
        try (HostGpu own = HostGpu.open(config.gpu(), failure);
                HostGpu host = HostGpu.open(config.gpu(), failure);
                SharedGpu shared = new SharedGpu(host, config, failure);
                DirectGpu direct = new DirectGpu(own.device(), COPIES);
                BlockedThread blocked = new BlockedThread()) {
            Ending rest = new Ending();
            own.device().onRest(rest::isNow);
            Ending charged = new Ending();
            shared.tell(new CompletionListener(charged));
            PvPlace place = shared.addPv(vm, PlaceKind.COMMANDS, 0, () -> {});
            shared.start();
            OwnedGpu owned =
                    new OwnedGpu(
                            place.ports().get().requests(),
                            place.arena().memory(),
                            place.arena().dmaMapping().iova(),
                            COPIES);
            double[] wakes = new double[ROUNDS];
            double[] alone = new double[ROUNDS];
            double[] added = new double[ROUNDS];
            double[] ratios = new double[ROUNDS];
            for (int round = -WARMUPS; round < ROUNDS; round++) {
                double wakeNs = medianOf(THREADED, asleep(blocked::measure));
                double directNs = medianOf(THREADED, asleep(() -> direct.run(rest)));
                double ownedNs = medianOf(THREADED, asleep(() -> owned.run(charged)));
                if (round >= 0) {
                    wakes[round] = wakeNs;
                    alone[round] = directNs;
                    added[round] = ownedNs - directNs;
                    ratios[round] = added[round] / wakeNs;
                }
            }
            print("waking a thread", wakes);
            print("unshared GPU", alone);
            print("added by the owner", added);
            Spread spread = Spread.of(ratios);
            System.out.printf(
                    "  %-20s %8.2f  (%.2f to %.2f)%n",
                    "ratio to waking", spread.median(), spread.quartile1(), spread.quartile3());
        }
    }

    /// Measured operation, which returns its duration in nanoseconds.
    private interface Measured {
        long ns();
    }

    private static Measured asleep(Measured what) {
        return () -> {
            sleep(1);
            return what.ns();
        };
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static double medianOf(int times, Measured what) {
        double[] samples = new double[times];
        for (int i = 0; i < times; i++) {
            samples[i] = what.ns();
        }
        return Spread.of(samples).median();
    }

    private static void print(String what, double[] ns) {
        Spread spread = Spread.of(ns);
        System.out.printf(
                "  %-20s %8s  (%s to %s)%n",
                what,
                Figures.duration(spread.median()),
                Figures.duration(spread.quartile1()),
                Figures.duration(spread.quartile3()));
    }
}
