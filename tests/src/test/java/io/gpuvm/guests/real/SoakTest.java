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

/// Two guests copy different data and check it for a long time. Beside them, in a third slot, every
/// 30 seconds another guest is powered on, finds its GPU, copies, and loses power in the midst of
/// it.
@Tag("realguest")
@Tag("alone")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class SoakTest {
    private static final String KERNEL = "6.12";
    private static final VmSpec VISITOR = VmSpec.of("vm2", KERNEL, "fv");

    /// From one visitor to the next. One that a busy host has kept from loading its driver until
    /// then stays for longer.
    private static final Duration CYCLE = Duration.ofSeconds(30);

    /// The last of each cycle, for which the third slot is empty: the backend zeroes its memory.
    private static final Duration REST = Duration.ofSeconds(1);

    /// How long the two copy on: they do not begin at the same moment, and the last visitor may be
    /// late.
    private static final Duration MARGIN = Duration.ofSeconds(20);

    private static final Duration BOOT_LIMIT = Duration.ofMinutes(2);
    private static final Duration END_LIMIT = Duration.ofMinutes(1);
    private static final double GROWTH_LIMIT_PERCENT = 2;

    /// How long descriptors may be more after a visit, for on a busy host the backend learns late
    /// that a visitor is gone; and how long memory may be above the limit at the end, for the JVM's
    /// compiler takes some megabytes for a moment whenever it likes.
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

    /// The second half is held against the first: there is no more of it.
    @Test
    void givenTwoGuestsThatCopy_whenOthersComeAndGoForAMinute_thenNobodyAndNothingIsTheWorse()
            throws Exception {
        soak(Duration.ofMinutes(1), Duration.ofSeconds(30));
    }

    @Test
    @Tag("long")
    void givenTwoGuestsThatCopy_whenOthersComeAndGoForTenMinutes_thenNobodyAndNothingIsTheWorse()
            throws Exception {
        soak(Duration.ofMinutes(10), Duration.ofMinutes(2));
    }

    /// @param referenceMoment when the backend is what it must still be at the end
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
            assertTrue(resident.awaitEnd(END_LIMIT), resident.name() + " does not end");
            assertEquals(List.of(), resident.verdict().failures(), resident.name());
        }
        assertTrue(visitorsWithDriver > 0, "no visitor had the time to find its GPU");
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

    /// A life in the third slot. What its kernel has said until then is judged.
    ///
    /// @param end when it ends if its driver is loaded
    /// @param latest when it ends, whatever it has come to
    private void visit(RunOptions options, Duration end, Duration latest)
            throws InterruptedException {
        LiveGuest visitor = powerOn(VISITOR, options);
        visitor.awaitEnd(end.minus(elapsed()));
        boolean hasDriver = visitor.tells(Loaded.class, latest.minus(elapsed()));
        assertFalse(visitor.hasEnded(), "a visitor ended by itself");
        visitor.kill();
        assertEquals(List.of(), visitor.verdict().failures(), "a visitor");
        visitors++;
        visitorsWithDriver += hasDriver ? 1 : 0;
        visitorsWithData += copiesOf(visitor) > 0 ? 1 : 0;
        TimeUnit.NANOSECONDS.sleep(REST.toNanos());
    }

    /// @param descriptors as many as the backend must have, once it knows that the visitor is gone
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
