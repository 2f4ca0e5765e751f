package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.guests.real.GuestEvent.Loaded;
import io.gpuvm.guests.real.GuestEvent.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Test of two guests that copy different data and check the copies for a long time. Every 30 s,
/// another guest is powered on in a third virtual machine, finds its GPU, copies, and loses power
/// during the copies.
@Tag("realguest")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class SoakTest {
    private static final String KERNEL = "6.12";
    private static final VmSpec VISITOR = VmSpec.of("vm2", KERNEL, "fv");

    /// Interval between visitors. On a busy host, a visitor that does not load its driver within
    /// this interval stays longer.
    private static final Duration CYCLE = Duration.ofSeconds(30);

    /// Last part of each cycle, without a visitor, in which the backend zeroes the visitor's
    /// memory.
    private static final Duration REST = Duration.ofSeconds(1);

    /// Additional time for which both residents copy, because they begin at different times and the
    /// last visitor may be late.
    private static final Duration MARGIN = Duration.ofSeconds(20);

    private static final Duration BOOT_LIMIT = Duration.ofMinutes(2);
    private static final Duration END_LIMIT = Duration.ofMinutes(1);
    private static final double GROWTH_LIMIT_PERCENT = 2;

    /// Maximum time until the backend has released a visitor's resources. After a visit, the number
    /// of descriptors may be higher, because on a busy host the backend detects a visitor's end
    /// late. At the end, memory may exceed the limit, because the JVM's compiler temporarily
    /// allocates a few megabytes.
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(10);

    private static final Duration POLL = Duration.ofMillis(200);

    private static GuestFiles files;

    private final RunListener listener = new ProgressPrinter(System.err, false);
    private final RunFolder folder = new RunFolder(false);
    private final Children children = new Children();
    private final List<LiveGuest> residents = new ArrayList<>();
    private GpuServer server;
    private long startNs;
    private int visitors;
    private int visitorsWithDriver;
    private int visitorsWithData;

    @BeforeAll
    static void setUp() {
        files = PreparedGuests.orSkip(KERNEL);
    }

    @AfterEach
    void end() {
        children.close();
        folder.close();
    }

    /// Tests the short run, whose second half is compared with its first half.
    @Test
    @Tag("long")
    void givenTwoCopyingGuests_whenVisitorsConnectForOneMinute_thenGuestsPassAndBackendIsStable()
            throws Exception {
        soak(Duration.ofMinutes(1), Duration.ofSeconds(30));
    }

    @Test
    @Tag("long")
    void givenTwoCopyingGuests_whenVisitorsConnectForTenMinutes_thenGuestsPassAndBackendIsStable()
            throws Exception {
        soak(Duration.ofMinutes(10), Duration.ofMinutes(2));
    }

    /// @param referenceMoment time after which the backend has its final size
    private void soak(Duration length, Duration referenceMoment) throws Exception {
        RunOptions options = options(length.plus(MARGIN));
        server = GpuServer.start(options.server(), options.vms(), folder, children, listener);
        for (VmSpec vm : options.vms().subList(0, 2)) {
            residents.add(powerOn(vm, options));
        }
        for (LiveGuest resident : residents) {
            resident.await(Progress.class, BOOT_LIMIT);
        }
        startNs = System.nanoTime();
        ProcessFootprint first = ProcessFootprint.of(server.pid());
        ProcessFootprint reference = null;
        for (int i = 1; elapsed().plus(REST).compareTo(length) < 0; i++) {
            visit(options, CYCLE.multipliedBy(i).minus(REST), length.plus(MARGIN.dividedBy(2)));
            ProcessFootprint now = lookAtAll(first.descriptors());
            if (reference == null && elapsed().compareTo(referenceMoment) >= 0) {
                reference = now;
            }
        }
        requireNoGrowth(reference.residentKib());
        for (LiveGuest resident : residents) {
            assertTrue(
                    resident.awaitEnd(END_LIMIT),
                    resident.name() + ": did not end, limit=%d s".formatted(END_LIMIT.toSeconds()));
            assertEquals(List.of(), resident.verdict().failures(), resident.name());
        }
        assertTrue(visitorsWithDriver > 0, "no visitor loaded its driver");
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNs);
    }

    private RunOptions options(Duration length) {
        return RunOptions.of(KERNEL, "stream")
                .withVms(VmSpec.of("vm0", KERNEL, "fv"), VmSpec.of("vm1", KERNEL, "fv"), VISITOR)
                .withGpu("soft,vram=1G")
                .withArguments("seconds=" + length.toSeconds())
                .withTimeout(length.plus(BOOT_LIMIT));
    }

    private LiveGuest powerOn(VmSpec vm, RunOptions options) {
        return LiveGuest.powerOn(vm, options, files, folder, children, listener);
    }

    /// Runs a visitor in the third virtual machine and checks its events until its end.
    ///
    /// @param end end of the visit if the driver is loaded
    /// @param latest end of the visit in any case
    private void visit(RunOptions options, Duration end, Duration latest)
            throws InterruptedException {
        LiveGuest visitor = powerOn(VISITOR, options);
        visitor.awaitEnd(end.minus(elapsed()));
        boolean hasDriver = visitor.reports(Loaded.class, latest.minus(elapsed()));
        assertFalse(visitor.hasEnded(), "a visitor ended before its power was cut");
        visitor.kill();
        assertEquals(List.of(), visitor.verdict().failures(), "a visitor");
        visitors++;
        visitorsWithDriver += hasDriver ? 1 : 0;
        visitorsWithData += copiesOf(visitor) > 0 ? 1 : 0;
        TimeUnit.NANOSECONDS.sleep(REST.toNanos());
    }

    /// @param descriptors expected number of descriptors after the visitor's end
    private ProcessFootprint lookAtAll(long descriptors) throws IOException, InterruptedException {
        Duration deadline = elapsed().plus(SETTLE_LIMIT);
        ProcessFootprint now = ProcessFootprint.of(server.pid());
        while (now.descriptors() != descriptors && elapsed().compareTo(deadline) < 0) {
            Thread.sleep(POLL);
            now = ProcessFootprint.of(server.pid());
        }
        System.err.printf(
                "soak: seconds=%d copies=%s visitors=%d withDriver=%d withData=%d %s%n",
                elapsed().toSeconds(),
                residents.stream().map(SoakTest::copiesOf).toList(),
                visitors,
                visitorsWithDriver,
                visitorsWithData,
                now);
        assertEquals(descriptors, now.descriptors(), "descriptors");
        for (LiveGuest resident : residents) {
            assertEquals(List.of(), resident.verdict().failures(), resident.name());
            assertFalse(resident.hasEnded(), resident.name() + " ended too early");
        }
        return now;
    }

    private static long copiesOf(LiveGuest guest) {
        return guest.events().stream()
                .flatMap(event -> event instanceof Progress done ? Stream.of(done) : Stream.empty())
                .filter(done -> done.name().equals("copies"))
                .mapToLong(Progress::count)
                .max()
                .orElse(0);
    }

    private void requireNoGrowth(long referenceKib) throws IOException, InterruptedException {
        Duration deadline = elapsed().plus(SETTLE_LIMIT);
        while (true) {
            ProcessFootprint now = ProcessFootprint.of(server.pid());
            double percent = 100.0 * now.residentKib() / referenceKib - 100;
            if (percent <= GROWTH_LIMIT_PERCENT) {
                System.err.printf("soak: resident memory changed by %.2f %%%n", percent);
                return;
            }
            assertTrue(
                    elapsed().compareTo(deadline) < 0,
                    () ->
                            "resident memory grew by %.2f %%: from %d KiB to %s"
                                    .formatted(percent, referenceKib, now));
            Thread.sleep(POLL);
        }
    }
}
