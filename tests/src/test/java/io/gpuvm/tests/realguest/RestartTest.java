package io.gpuvm.tests.realguest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Guests that lose power at any moment cost the backend nothing.
@Tag("realguest")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class RestartTest {
    private static final int RESTARTS = 20;

    /// When the growth of memory is counted from: the backend has compiled its code by then.
    private static final int WARM = 5;

    private static final Duration LONGEST_LIFE = Duration.ofSeconds(20);
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration CLEAN_RUN_LIMIT = Duration.ofMinutes(4);
    private static final long GROWTH_LIMIT_KIB = 128 << 10;

    private static GuestFiles files;

    private final RunOptions options = RunOptions.of("6.12", "copy");
    private final VmSpec vm = options.vms().getFirst();
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
    void givenABackend_whenQemuIsKilledTwentyTimes_thenTheNextGuestWorksAndNothingHasLeaked()
            throws Exception {
        long seed = System.nanoTime();
        System.err.println("seed=" + seed);
        Random random = new Random(seed);
        GpuServer server =
                GpuServer.start(
                        options.server(),
                        List.of(vm),
                        folder,
                        children,
                        new ProgressPrinter(System.err, false));
        long descriptors = descriptorsOf(server.pid());
        List<Long> memoryKib = new ArrayList<>();
        for (int i = 0; i < RESTARTS; i++) {
            liveFor(random.nextLong(LONGEST_LIFE.toMillis()));
            awaitDescriptors(server.pid(), descriptors);
            memoryKib.add(residentKib(server.pid()));
        }
        System.err.println("descriptors=" + descriptors + " residentKib=" + memoryKib);
        assertTrue(
                memoryKib.getLast() - memoryKib.get(WARM) < GROWTH_LIMIT_KIB, memoryKib::toString);
        assertThatAGuestWorks();
    }

    /// Powers a guest on and kills QEMU after a while, or when it ends by itself.
    private void liveFor(long ms) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        GuestMachine machine =
                GuestMachine.start(vm, options, files, folder, children, _ -> {}, ended::countDown);
        ended.await(ms, TimeUnit.MILLISECONDS);
        machine.kill();
        machine.exitStatus();
    }

    /// Waits until the backend has closed all that the last guest gave it or caused.
    private static void awaitDescriptors(long pid, long expected)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + RELEASE_LIMIT.toNanos();
        for (long now; (now = descriptorsOf(pid)) != expected; ) {
            assertTrue(
                    System.nanoTime() - deadlineNs < 0,
                    "descriptors=%d, before any guest=%d".formatted(now, expected));
            Thread.sleep(POLL);
        }
    }

    private void assertThatAGuestWorks() throws InterruptedException {
        BlockingQueue<GuestEvent> events = new LinkedBlockingQueue<>();
        CountDownLatch ended = new CountDownLatch(1);
        GuestMachine.start(
                vm,
                options,
                files,
                folder,
                children,
                line -> events.add(GuestEvent.parse(line)),
                ended::countDown);
        assertTrue(ended.await(CLEAN_RUN_LIMIT.toSeconds(), TimeUnit.SECONDS), "the last guest");
        GuestVerdict verdict =
                GuestVerdict.of(
                        List.copyOf(events),
                        List.of(),
                        new GuestVerdict.Expectation(
                                1,
                                (series, phase) ->
                                        LogAllowList.load(files.logAllowLists(), series, phase),
                                true));
        assertEquals(List.of(), verdict.failures());
    }

    /// Descriptors of the kinds that guests bring: sockets, memory, events. The JVM's own, of jars
    /// and the like, come and go.
    private static long descriptorsOf(long pid) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return descriptors.filter(RestartTest::isOfAGuest).count();
        }
    }

    private static boolean isOfAGuest(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.matches("socket:.*|/memfd:.*|anon_inode:\\[eventfd]");
        } catch (IOException _) {
            return false; // closed meanwhile
        }
    }

    private static long residentKib(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("/proc/%d/status has no VmRSS".formatted(pid));
    }
}
