package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests that guests that lose power at any time leave no resources in the backend.
@Tag("realguest")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class RestartTest {
    private static final int RESTARTS = 5;
    private static final int MANY_RESTARTS = 20;

    /// Index of the life from whose end the growth of memory is measured. The longest life, with
    /// index 0, has ended by then.
    private static final int WARM = 1;

    private static final Duration LONGEST_LIFE = Duration.ofSeconds(20);
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration CLEAN_RUN_LIMIT = Duration.ofMinutes(4);
    private static final long GROWTH_LIMIT_KIB_PER_LIFE = 9 << 10;

    private static GuestFiles files;

    private final RunOptions options = RunOptions.of("6.12", "copy");
    private final RunListener listener = new ProgressPrinter(System.err, false);
    private final RunFolder folder = new RunFolder(false);
    private final Children children = new Children();

    @BeforeAll
    static void setUp() {
        files = PreparedGuests.orSkip("6.12");
    }

    @AfterEach
    void end() {
        children.close();
        folder.close();
    }

    @Test
    void givenBackend_whenQemuIsKilledRepeatedly_thenNextGuestPassesAndNoResourceLeaks()
            throws Exception {
        restart(RESTARTS);
    }

    @Test
    @Tag("long")
    void givenBackend_whenQemuIsKilledTwentyTimes_thenNextGuestPassesAndNoResourceLeaks()
            throws Exception {
        restart(MANY_RESTARTS);
    }

    private void restart(int times) throws Exception {
        long seed = System.nanoTime();
        System.err.println("seed=" + seed);
        GpuServer server =
                GpuServer.start(options.server(), options.vms(), folder, children, listener);
        long descriptors = ProcessFootprint.of(server.pid()).descriptors();
        List<Long> memoryKib = new ArrayList<>();
        for (Duration life : lives(times, new Random(seed))) {
            LiveGuest guest = powerOn();
            guest.awaitEnd(life);
            guest.kill();
            awaitDescriptors(server.pid(), descriptors);
            memoryKib.add(ProcessFootprint.of(server.pid()).residentKib());
        }
        System.err.println("descriptors=" + descriptors + " residentKib=" + memoryKib);
        long growthLimitKib = GROWTH_LIMIT_KIB_PER_LIFE * (times - 1 - WARM);
        awaitMemory(server.pid(), memoryKib.get(WARM) + growthLimitKib);
        assertThatAGuestWorks();
    }

    /// Returns the durations of the guests' lives. The longest life is divided into `count` equal
    /// parts, each with one death at a random time, so that few deaths cover all phases of a guest.
    /// The longest life is first, because the backend allocates its memory for a phase when a guest
    /// first reaches it. The other lives are in random order.
    private static List<Duration> lives(int count, Random random) {
        List<Duration> lives = new ArrayList<>();
        Duration part = LONGEST_LIFE.dividedBy(count);
        for (int i = 0; i < count; i++) {
            lives.add(part.multipliedBy(i).plusMillis(random.nextLong(part.toMillis())));
        }
        Collections.shuffle(lives.subList(0, count - 1), random);
        return lives.reversed();
    }

    private LiveGuest powerOn() {
        return LiveGuest.powerOn(
                options.vms().getFirst(), options, files, folder, children, listener);
    }

    /// Waits until the backend has closed all descriptors of the last guest.
    private static void awaitDescriptors(long pid, long expected)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + RELEASE_LIMIT.toNanos();
        for (long now; (now = ProcessFootprint.of(pid).descriptors()) != expected; ) {
            assertTrue(
                    System.nanoTime() - deadlineNs < 0,
                    "descriptors=%d, before any guest=%d".formatted(now, expected));
            Thread.sleep(POLL);
        }
    }

    /// Waits until the backend has released the last guest's memory, which follows the closing of
    /// its descriptors.
    private static void awaitMemory(long pid, long limitKib)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + RELEASE_LIMIT.toNanos();
        for (long now; (now = ProcessFootprint.of(pid).residentKib()) >= limitKib; ) {
            assertTrue(
                    System.nanoTime() - deadlineNs < 0,
                    "residentKib=%d, limit=%d".formatted(now, limitKib));
            Thread.sleep(POLL);
        }
    }

    private void assertThatAGuestWorks() throws InterruptedException {
        LiveGuest guest = powerOn();
        assertTrue(
                guest.awaitEnd(CLEAN_RUN_LIMIT),
                "the last guest: did not end within " + CLEAN_RUN_LIMIT);
        assertEquals(List.of(), guest.verdict().failures());
    }
}
