package io.gpuvm.guests.virtualhost;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.PreparedGuests;
import io.gpuvm.guests.real.ProgressPrinter;
import io.gpuvm.guests.real.RealGuestRun;
import io.gpuvm.guests.real.RunOptions;
import io.gpuvm.guests.real.RunReport;
import io.gpuvm.guests.real.ServerSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the card behind Linux's VFIO. Several tests run in one machine, because starting the
/// machine and its JVMs takes longer than most tests.
@Tag("realguest")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class VirtualHostTest {
    /// Card with a BAR1 that maps the VRAM of two virtual machines at once.
    private static final String WIDE_BAR1 = "soft,vram=128M,bar1=256M";

    /// Timeout of the replay, which took 13 minutes on a host with other load.
    private static final Duration REPLAY_LIMIT = Duration.ofMinutes(25);

    /// Timeout of three tests in one machine.
    private static final Duration LONGER_LIMIT = Duration.ofMinutes(13);

    @Test
    void givenCardBehindVfio_whenAcquiredReleasedAndServedToFourGuests_thenCardConforms()
            throws InterruptedException {
        // The test `kill-once` ends with the part of the conformance suite that depends on VFIO.
        HostReport report =
                run(
                        HostOptions.of(HostOptions.anySeed(), "retake", "kill-once", "backend")
                                .withTimeout(LONGER_LIMIT));
        assertTrue(report.verdict().count(TestOutcome.PASS) > 0);
        assertTrue(report.verdict().measured().get("vfio.interrupts") > 0);
    }

    @Test
    @Tag("long")
    void givenCardBehindVfio_whenOwningProcessIsKilledRepeatedly_thenCardConforms()
            throws InterruptedException {
        HostReport report =
                run(HostOptions.of(HostOptions.anySeed(), "kill").withTimeout(LONGER_LIMIT));
        assertTrue(report.verdict().count(TestOutcome.PASS) > 0);
    }

    @Test
    @Tag("long")
    void givenBackendOnCard_whenKilledDuringWork_thenNextBackendServesGuest()
            throws InterruptedException {
        run("backend-kill");
    }

    @Test
    @Tag("long")
    void givenTenBackends_whenEachAcquiresServesAndReleasesCard_thenCardIsUnchanged()
            throws InterruptedException {
        run("backend-retake");
    }

    @Test
    @Tag("long")
    void givenSharedCard_whenVirtualGpuIsTested_thenVirtualGpuConforms()
            throws InterruptedException {
        HostReport report = run(HostOptions.of(HostOptions.anySeed(), "fv").withGpu(WIDE_BAR1));
        assertTrue(report.verdict().count(TestOutcome.PASS) > 0);
    }

    /// Tests a recorded real guest whose VRAM fits into its share of the card. The guest copies
    /// with each engine from VRAM to VRAM, so that the recording contains all data that the copies
    /// read.
    @Test
    @Tag("long")
    @Timeout(value = 35, unit = TimeUnit.MINUTES)
    void givenRecordedNouveauWithCopies_whenReplayedOnCard_thenEndStateEqualsSoftGpu(
            @TempDir Path folder) throws InterruptedException {
        Path recording = folder.resolve("recording");
        record(recording);
        HostReport report =
                run(
                        HostOptions.of(HostMachine.ROOMY, HostOptions.anySeed(), "replay")
                                .withGpu(WIDE_BAR1)
                                .withRecording(recording)
                                .withTimeout(REPLAY_LIMIT));
        Map<String, Double> measured = report.verdict().measured();
        assertTrue(measured.get("replay.registers") > 0);
        assertTrue(measured.get("replay.pagesInUse") > 0);
    }

    private static void record(Path recording) throws InterruptedException {
        RunOptions options =
                RunOptions.of(RunOptions.DEFAULT_KERNEL, "copy-small")
                        .withVms(ReplayModel.vm(RunOptions.DEFAULT_KERNEL))
                        .withServer(
                                new ServerSpec.Backend(
                                        ReplayModel.GPU, HostOptions.DEFAULT_IDLE, recording));
        RunReport report =
                RealGuestRun.run(
                        options,
                        PreparedGuests.orSkip(options),
                        new ProgressPrinter(System.err, false));
        assertTrue(report.passed(), () -> report.toJson().toPrettyString());
    }

    @Test
    @Tag("long")
    void givenTrustedVmm_whenBar3OfCardIsMapped_thenMappingShowsGuestVram()
            throws InterruptedException {
        run("trusted-vmm");
    }

    @Test
    @Tag("long")
    void givenCardInSharedGroup_whenAcquiredAndReleased_thenHostIsUnchanged()
            throws InterruptedException {
        run(HostOptions.of(HostMachine.SHARED_GROUP, HostOptions.anySeed(), "taking"));
    }

    @Test
    @Tag("long")
    void givenNoIommu_whenCardIsRequested_thenRequestIsRefusedWithReason()
            throws InterruptedException {
        run(HostOptions.of(HostMachine.NO_IOMMU, HostOptions.anySeed(), "no-iommu"));
    }

    @Test
    @Tag("long")
    void givenCardInUse_whenUnplugged_thenBackendReleasesCardAndReinsertedCardIsUsable()
            throws InterruptedException {
        run(HostOptions.of(HostMachine.HOT_PLUG, HostOptions.anySeed(), "unplugged"));
    }

    @Test
    @Tag("long")
    void givenHostWithoutPermission_whenCardIsRequested_thenRequestIsRefusedWithReason()
            throws InterruptedException {
        run("refused");
    }

    private static HostReport run(String... tests) throws InterruptedException {
        return run(HostOptions.of(HostOptions.anySeed(), tests));
    }

    private static HostReport run(HostOptions options) throws InterruptedException {
        GuestFiles files = GuestFiles.locate();
        String kernel = PreparedGuests.virtualHostOrSkip(files);
        HostReport report =
                VirtualHostRun.run(options, kernel, files, new ProgressPrinter(System.err, false));
        assertTrue(report.passed(), () -> report.toJson().toPrettyString());
        return report;
    }
}
