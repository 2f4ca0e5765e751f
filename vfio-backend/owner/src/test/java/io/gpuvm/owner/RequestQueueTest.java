package io.gpuvm.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.linux.MemFd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests whose handler fails, and those whose virtual machine stops waiting.
@Timeout(60)
class RequestQueueTest {
    private static final long PAGE = 4096;
    private static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String NAME = "gpuvm-queue-test";
    private static final int ALL = 100;

    private final MemFd file = MemFd.create(NAME, PAGE);
    private final RequestQueue queue = new RequestQueue("vm", this::onWake, PATIENCE_NS);
    private final Recorder handler = new Recorder();

    /// What the owner does when it is woken; its machine begins to wait when this is over.
    private Runnable onWake = () -> {};

    @AfterEach
    void close() {
        file.close();
    }

    @Test
    void givenARequestWhoseHandlerFails_whenDrained_thenTheNextComesNext() {
        queue.unbind(Recorder.BAD);
        queue.flush(Recorder.BAD);
        queue.unbind(3);

        assertThrows(IllegalStateException.class, () -> queue.drain(handler, ALL));
        assertThrows(IllegalStateException.class, () -> queue.drain(handler, ALL));
        queue.drain(handler, ALL);

        assertEquals(List.of("unbind 3"), handler.calls);
        assertTrue(queue.isEmpty());
    }

    @Test
    void givenAMapping_whenTheOwnerTakesItTooLate_thenNothingIsMappedAndNothingStaysOpen()
            throws IOException {
        assertThrows(GpuDeviceException.class, () -> queue.mapDma(mapping()));
        assertEquals(1, openOnes());

        queue.drain(handler, ALL);

        assertEquals(List.of(), handler.calls);
        assertTrue(queue.isEmpty());
    }

    @Test
    void givenAMapping_whenItsMachineGivesUpMeanwhile_thenItIsTakenBack()
            throws IOException, InterruptedException {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch gaveUp = new CountDownLatch(1);
        Thread owner = Thread.ofPlatform().unstarted(() -> queue.drain(handler, ALL));
        onWake =
                () -> {
                    owner.start();
                    awaitQuietly(taken);
                };
        handler.whileMapping =
                () -> {
                    taken.countDown();
                    awaitQuietly(gaveUp);
                };

        assertThrows(GpuDeviceException.class, () -> queue.mapDma(mapping()));
        gaveUp.countDown();
        owner.join();

        assertEquals(List.of("map " + NAME, "unmap 0x1000"), handler.calls);
        assertEquals(1, openOnes());
    }

    @Test
    void givenAMapping_whenItIsMade_thenByADescriptorOfItsOwn() throws IOException {
        onWake = () -> queue.drain(handler, ALL);

        queue.mapDma(mapping());

        assertEquals(List.of("map " + NAME), handler.calls);
        assertTrue(handler.descriptor != file.descriptor());
        assertEquals(1, openOnes());
    }

    @Test
    void givenMoreMemoryThanIsMappedAtATime_whenMapped_thenTheOwnerGetsItInPieces() {
        onWake = () -> queue.drain(handler, ALL);
        long bytes = 2 * RequestQueue.MAP_BYTES + PAGE;

        queue.mapDma(new DmaMapping(file.descriptor(), PAGE, bytes, 2 * PAGE, false));

        assertEquals(
                List.of(
                        new Piece(PAGE, RequestQueue.MAP_BYTES, 2 * PAGE, false),
                        new Piece(
                                PAGE + RequestQueue.MAP_BYTES,
                                RequestQueue.MAP_BYTES,
                                2 * PAGE + RequestQueue.MAP_BYTES,
                                false),
                        new Piece(
                                PAGE + 2 * RequestQueue.MAP_BYTES,
                                PAGE,
                                2 * PAGE + 2 * RequestQueue.MAP_BYTES,
                                false)),
                handler.mapped);
    }

    @Test
    void givenMoreMemoryThanIsMappedAtATime_whenALaterPieceIsRefused_thenTheOthersAreTakenBack() {
        onWake = () -> queue.drain(handler, ALL);
        handler.whileMapping =
                () -> {
                    if (handler.mapped.size() > 1) {
                        throw new GpuDeviceException("made up");
                    }
                };
        long bytes = 2 * RequestQueue.MAP_BYTES;

        GpuDeviceException e =
                assertThrows(
                        GpuDeviceException.class,
                        () ->
                                queue.mapDma(
                                        new DmaMapping(file.descriptor(), 0, bytes, PAGE, true)));

        assertEquals("made up", e.getMessage());
        assertEquals(List.of("map " + NAME, "map " + NAME, "unmap 0x1000"), handler.calls);
    }

    @Test
    void givenAResetAndAnUnmapping_whenTheOwnerTakesThemTooLate_thenTheyAreDoneAllTheSame() {
        assertThrows(GpuDeviceException.class, () -> queue.unmapDma(PAGE, PAGE));
        assertThrows(GpuDeviceException.class, queue::reset);

        queue.drain(handler, ALL);

        assertEquals(List.of("unmap 0x1000", "reset"), handler.calls);
    }

    private void onWake() {
        onWake.run();
    }

    private DmaMapping mapping() {
        return new DmaMapping(file.descriptor(), 0, PAGE, PAGE, true);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// How many descriptors of the file there are.
    private static long openOnes() throws IOException {
        long count = 0;
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            for (Path each : all.toList()) {
                count += nameOf(each).equals(NAME) ? 1 : 0;
            }
        }
        return count;
    }

    private static String nameOf(Path descriptor) {
        try {
            String link = Files.readSymbolicLink(descriptor).toString();
            return link.contains(NAME) ? NAME : link;
        } catch (IOException _) {
            return ""; // closed meanwhile
        }
    }

    private record Piece(long offset, long bytes, long iova, boolean writable) {}

    /// Writes down what it is asked.
    private static final class Recorder implements RequestQueue.Handler {
        static final int BAD = 7;

        final List<String> calls = new ArrayList<>();
        Runnable whileMapping = () -> {};
        final List<Piece> mapped = new ArrayList<>();
        int descriptor;

        @Override
        public void onBind(int channel, long instanceIova, long userdIova) {}

        @Override
        public void onUnbind(int channel) {
            if (channel == BAD) {
                throw new IllegalStateException("made up");
            }
            calls.add("unbind " + channel);
        }

        @Override
        public void onRun(int channel, boolean runnable) {}

        @Override
        public void onRunlist(int[] listed, int count) {}

        @Override
        public void onPreempt(int channel) {}

        @Override
        public void onRing(int channel, int put) {}

        @Override
        public void onFlush(long directoryIova, int times) {
            throw new IllegalStateException("made up");
        }

        @Override
        public void onFreeze(int engineBits) {}

        @Override
        public void onResetEngines(int pmcEnableBitsCleared) {}

        @Override
        public void onInjectFault(int engine, int unit) {}

        @Override
        public void onReleaseMethod(int pbdma, int method, int data, int bits) {}

        @Override
        public void onReleaseTrap(int engine, int bits) {}

        @Override
        public void onMapDma(DmaMapping atGuestPhysical) {
            descriptor = atGuestPhysical.descriptor();
            mapped.add(
                    new Piece(
                            atGuestPhysical.offset(),
                            atGuestPhysical.bytes(),
                            atGuestPhysical.iova(),
                            atGuestPhysical.writable()));
            calls.add("map " + nameOf(Path.of("/proc/self/fd/" + descriptor)));
            whileMapping.run();
        }

        @Override
        public void onUnmapDma(long guestPhysical, long bytes) {
            calls.add("unmap %#x".formatted(guestPhysical));
        }

        @Override
        public Optional<SharedWindow> onOpenWindow(long bytes) {
            calls.add("open %d".formatted(bytes));
            return Optional.empty();
        }

        @Override
        public void onShowWindows() {
            calls.add("show");
        }

        @Override
        public void onCloseWindows() {
            calls.add("close");
        }

        @Override
        public void onReset() {
            calls.add("reset");
        }
    }
}
