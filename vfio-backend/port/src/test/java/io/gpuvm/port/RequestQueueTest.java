package io.gpuvm.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.MemFd;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of the queue of requests: order, operands, merging, failures and timeouts.
@Timeout(60)
class RequestQueueTest {
    private static final long PAGE = 4096;
    private static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String NAME = "gpuvm-queue-test";
    private static final int ALL = 100;

    private final MemFd file = MemFd.create(NAME, PAGE);
    private final RequestQueue queue = new RequestQueue("vm", this::onWake, PATIENCE_NS);
    private final GpuRequests requests = queue.requests();
    private final Recorder recorder = new Recorder();
    private final GpuRequests.Handler handler = recorder.handler();

    private RequestQueue queueOfStoppedProcess;

    /// Owner's action when it is woken, run before the virtual machine starts to wait.
    private Runnable onWake = () -> {};

    @AfterEach
    void close() {
        file.close();
    }

    @Test
    void givenRequestWithFailingHandler_whenDrained_thenNextRequestIsHandled() {
        requests.unbind(Recorder.BAD);
        requests.flush(Recorder.BAD);
        requests.unbind(3);

        assertThrows(IllegalStateException.class, () -> queue.drain(handler, ALL));
        assertThrows(IllegalStateException.class, () -> queue.drain(handler, ALL));
        queue.drain(handler, ALL);

        assertEquals(List.of("unbind 3"), recorder.calls);
        assertTrue(queue.isEmpty());
    }

    @Test
    void givenMapping_whenRequestTimesOut_thenMemoryIsNotMappedAndDescriptorIsClosed()
            throws IOException {
        assertThrows(GpuDeviceException.class, () -> requests.mapDma(mapping()));
        assertEquals(1, openDescriptors());

        queue.drain(handler, ALL);

        assertEquals(List.of(), recorder.calls);
        assertTrue(queue.isEmpty());
    }

    @Test
    void givenMapping_whenVirtualMachineGivesUpDuringMapping_thenMemoryIsUnmapped()
            throws IOException, InterruptedException {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch gaveUp = new CountDownLatch(1);
        Thread owner = Thread.ofPlatform().unstarted(() -> queue.drain(handler, ALL));
        onWake =
                () -> {
                    owner.start();
                    awaitQuietly(taken);
                };
        recorder.whileMapping =
                () -> {
                    taken.countDown();
                    awaitQuietly(gaveUp);
                };

        assertThrows(GpuDeviceException.class, () -> requests.mapDma(mapping()));
        gaveUp.countDown();
        owner.join();

        assertEquals(List.of("map " + NAME, "unmap 0x1000"), recorder.calls);
        assertEquals(1, openDescriptors());
    }

    @Test
    void givenMapping_whenMapped_thenDuplicateDescriptorIsUsed() throws IOException {
        onWake = () -> queue.drain(handler, ALL);

        requests.mapDma(mapping());

        assertEquals(List.of("map " + NAME), recorder.calls);
        assertTrue(recorder.descriptor != file.descriptor());
        assertEquals(1, openDescriptors());
    }

    @Test
    void givenMemoryAboveRequestLimit_whenMapped_thenOwnerReceivesPieces() {
        onWake = () -> queue.drain(handler, ALL);
        long bytes = 2 * DmaRequests.MAP_BYTES + PAGE;

        requests.mapDma(new DmaMapping(file.descriptor(), PAGE, bytes, 2 * PAGE, false));

        assertEquals(
                List.of(
                        new Piece(PAGE, DmaRequests.MAP_BYTES, 2 * PAGE, false),
                        new Piece(
                                PAGE + DmaRequests.MAP_BYTES,
                                DmaRequests.MAP_BYTES,
                                2 * PAGE + DmaRequests.MAP_BYTES,
                                false),
                        new Piece(
                                PAGE + 2 * DmaRequests.MAP_BYTES,
                                PAGE,
                                2 * PAGE + 2 * DmaRequests.MAP_BYTES,
                                false)),
                recorder.mapped);
    }

    @Test
    void givenMemoryAboveRequestLimit_whenLaterPieceIsRefused_thenEarlierPiecesAreUnmapped() {
        onWake = () -> queue.drain(handler, ALL);
        recorder.whileMapping =
                () -> {
                    if (recorder.mapped.size() > 1) {
                        throw new GpuDeviceException("made up");
                    }
                };
        long bytes = 2 * DmaRequests.MAP_BYTES;

        GpuDeviceException e =
                assertThrows(
                        GpuDeviceException.class,
                        () ->
                                requests.mapDma(
                                        new DmaMapping(file.descriptor(), 0, bytes, PAGE, true)));

        assertEquals("made up", e.getMessage());
        assertEquals(List.of("map " + NAME, "map " + NAME, "unmap 0x1000"), recorder.calls);
    }

    @Test
    void givenManySmallMappings_whenMapped_thenRequestAndDescriptorAreShared() throws IOException {
        onWake = () -> queue.drain(handler, ALL);
        long[] during = new long[1];
        recorder.whileMapping = () -> during[0] = openDescriptorsQuietly();

        requests.mapDma(pages(0, 64), (index, why) -> fail(index + ": " + why));

        assertEquals(List.of(64), recorder.batches);
        assertEquals(2, during[0], "the file's own, and one for all mappings");
        assertEquals(1, openDescriptors());
    }

    @Test
    void givenSmallAndLargeMappings_whenMapped_thenNoRequestExceedsLimit() {
        onWake = () -> queue.drain(handler, ALL);
        List<DmaMapping> wanted = new ArrayList<>(pages(0, 3));
        wanted.add(new DmaMapping(file.descriptor(), 0, DmaRequests.MAP_BYTES, 1L << 32, true));
        wanted.addAll(pages(3, 2));

        requests.mapDma(wanted, (index, why) -> fail(index + ": " + why));

        assertEquals(List.of(3, 1, 2), recorder.batches);
    }

    @Test
    void givenManyMappings_whenOwnerRefusesSomeMappings_thenOtherMappingsSucceed() {
        onWake = () -> queue.drain(handler, ALL);
        recorder.whileMapping =
                () -> {
                    if (recorder.mapped.size() % 3 == 0) {
                        throw new GpuDeviceException("made up");
                    }
                };
        List<Integer> refused = new ArrayList<>();

        requests.mapDma(pages(0, 7), (index, _) -> refused.add(index));

        assertEquals(List.of(2, 5), refused);
        assertEquals(7, recorder.mapped.size());
    }

    @Test
    void givenAlternatingMappingsOfTwoFiles_whenMapped_thenEachFileHasOneDescriptor()
            throws IOException {
        onWake = () -> queue.drain(handler, ALL);
        long[] during = new long[1];
        recorder.whileMapping = () -> during[0] = openDescriptorsQuietly();
        List<DmaMapping> wanted = new ArrayList<>();
        try (MemFd other = MemFd.create(NAME, PAGE)) {
            for (DmaMapping each : pages(0, 8)) {
                wanted.add(each);
                long next = each.iova() + PAGE;
                wanted.add(new DmaMapping(other.descriptor(), 0, PAGE, next, true));
            }

            requests.mapDma(wanted, (index, why) -> fail(index + ": " + why));
        }

        assertEquals(List.of(16), recorder.batches);
        assertEquals(4, during[0], "two of each file");
        assertEquals(1, openDescriptors());
    }

    /// Simulates a shortage of descriptors, by a mapping without a file: a batch needs one
    /// descriptor for each file.
    @Test
    void givenManyMappings_whenLastMappingHasNoFile_thenOnlyLastMappingIsRefusedAndFilesAreClosed()
            throws IOException {
        onWake = () -> queue.drain(handler, ALL);
        List<DmaMapping> wanted = new ArrayList<>(pages(0, 2));
        wanted.add(new DmaMapping(-1, 0, PAGE, 1L << 32, true));
        List<Integer> refused = new ArrayList<>();

        requests.mapDma(wanted, (index, _) -> refused.add(index));

        assertEquals(List.of(2), refused);
        assertEquals(List.of(1, 1), recorder.batches);
        assertEquals(1, openDescriptors());
    }

    @Test
    void givenManyMappings_whenOwnerFailsAtOneMapping_thenAllMappingsAreUnmapped() {
        onWake = () -> queue.drain(handler, ALL);
        recorder.whileMapping =
                () -> {
                    if (recorder.mapped.size() == 2) {
                        throw new IllegalStateException("made up");
                    }
                };
        List<Integer> refused = new ArrayList<>();

        requests.mapDma(pages(0, 2), (index, _) -> refused.add(index));

        assertEquals(List.of(0, 1), refused);
        assertEquals(List.of("unmap 0x0", "unmap 0x2000"), recorder.calls.subList(2, 4));
    }

    @Test
    void givenManyRanges_whenUnmapped_thenOneRequestIsQueued() {
        int[] drained = new int[1];
        onWake = () -> drained[0] += queue.drain(handler, ALL);

        requests.unmapDma(List.of(new DmaRange(0, PAGE), new DmaRange(2 * PAGE, PAGE)));

        assertEquals(1, drained[0]);
        assertEquals(List.of("unmap 0x0", "unmap 0x2000"), recorder.calls);
    }

    /// Returns mappings of one page each, none of them adjacent.
    private List<DmaMapping> pages(int first, int count) {
        List<DmaMapping> pages = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            pages.add(new DmaMapping(file.descriptor(), 0, PAGE, 2 * i * PAGE, true));
        }
        return pages;
    }

    private static long openDescriptorsQuietly() {
        try {
            return openDescriptors();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Simulates a process that is stopped for an hour while its virtual machine's thread waits.
    /// The owner's thread also stops; it handles the request shortly after both continue.
    @Test
    void givenStoppedProcess_whenOwnerHandlesRequestAfterwards_thenRequestSucceeds() {
        RequestQueue stopped =
                new RequestQueue(
                        "vm", () -> {}, TimeUnit.SECONDS.toNanos(4), new StoppingClock()::readNs);
        queueOfStoppedProcess = stopped;

        stopped.requests().showWindows();

        assertEquals(List.of("onShowWindows"), recorder.calls);
    }

    @Test
    void givenResetAndUnmapping_whenRequestsTimeOut_thenBothRequestsAreCarriedOut() {
        assertThrows(GpuDeviceException.class, () -> requests.unmapDma(PAGE, PAGE));
        assertThrows(GpuDeviceException.class, requests::reset);

        queue.drain(handler, ALL);

        assertEquals(List.of("unmap 0x1000", "onReset"), recorder.calls);
    }

    @Test
    void givenAllRequests_whenDrained_thenOperandsArriveUnchanged() {
        requests.bind(127, 1L << 40, (1L << 40) + PAGE);
        requests.run(3, true);
        requests.run(3, false);
        requests.preempt(4);
        requests.ring(5, -1);
        requests.freeze(6);
        requests.resetEngines(1 << 31);
        requests.injectFault(1, 2);
        requests.releaseMethod(1, -2, -3, -4);
        requests.releaseTrap(5, -6);
        onWake = () -> queue.drain(handler, ALL);
        queue.drain(handler, ALL);
        requests.showWindows();
        requests.closeWindows();

        assertEquals(
                List.of(
                        "onBind 127 1099511627776 1099511631872",
                        "onRun 3 true",
                        "onRun 3 false",
                        "onPreempt 4",
                        "onRing 5 -1",
                        "onFreeze 6",
                        "onResetEngines -2147483648",
                        "onInjectFault 1 2",
                        "onReleaseMethod 1 -2 -3 -4",
                        "onReleaseTrap 5 -6",
                        "onShowWindows",
                        "onCloseWindows"),
                recorder.calls);
    }

    @Test
    void givenRunlist_whenDrained_thenEachChannelArrivesOnce() {
        List<Integer> seen = new ArrayList<>();
        recorder.onRunlist =
                (listed, count) -> {
                    for (int i = 0; i < count; i++) {
                        seen.add(listed[i]);
                    }
                };
        requests.runlist(new int[] {127, 0, 64, 63, 0, 9}, 5);

        queue.drain(handler, ALL);

        assertEquals(List.of(0, 63, 64, 127), seen);
    }

    @Test
    void givenRepeatedDoorbell_whenDrained_thenHandlerIsCalledOnceWithLastIndex() {
        requests.ring(2, 1);
        requests.ring(2, 2);
        requests.ring(2, 3);
        queue.drain(handler, ALL);
        requests.ring(2, 4);
        queue.drain(handler, ALL);

        assertEquals(List.of("onRing 2 3", "onRing 2 4"), recorder.calls);
    }

    @Test
    void givenConsecutiveFlushes_whenDrained_thenFlushesOfSameDirectoryAreMerged() {
        requests.flush(PAGE);
        requests.flush(PAGE);
        requests.flush(2 * PAGE);
        requests.flush(PAGE);

        assertEquals(4, queue.drain(handler, ALL));

        assertEquals(
                List.of("flush 4096 2 times", "flush 8192 1 times", "flush 4096 1 times"),
                recorder.calls);
    }

    @Test
    void givenMoreFlushesThanLimit_whenDrained_thenExcessFlushesStayQueued() {
        requests.flush(PAGE);
        requests.flush(PAGE);
        requests.flush(PAGE);

        assertEquals(2, queue.drain(handler, 2));
        assertEquals(1, queue.drain(handler, 2));

        assertEquals(List.of("flush 4096 2 times", "flush 4096 1 times"), recorder.calls);
    }

    @Test
    void givenFullQueue_whenOwnerRemovesNoRequest_thenVirtualMachineGivesUp() {
        for (int i = 0; i < RequestQueue.CAPACITY; i++) {
            requests.preempt(1);
        }

        GpuDeviceException e = assertThrows(GpuDeviceException.class, () -> requests.preempt(1));

        assertEquals(
                "vm: no room for a request: the GPU's owner has removed no request for 50 ms",
                e.getMessage());
        assertEquals(ALL, queue.drain(handler, ALL));
        requests.preempt(1);
    }

    private void onWake() {
        onWake.run();
    }

    /// Clock that advances by an hour at the first reading after the beginning of a wait, and by a
    /// microsecond at all other readings. The owner handles requests at the tenth reading.
    private final class StoppingClock {
        private static final int READING_AFTER_STOP = 3;
        private static final int READING_OF_OWNER = 10;

        private int readings;
        private long nowNs;

        long readNs() {
            readings++;
            nowNs +=
                    readings == READING_AFTER_STOP
                            ? TimeUnit.HOURS.toNanos(1)
                            : TimeUnit.MICROSECONDS.toNanos(1);
            if (readings == READING_OF_OWNER) {
                queueOfStoppedProcess.drain(handler, ALL);
            }
            return nowNs;
        }
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

    /// Returns the number of open descriptors of the file.
    private static long openDescriptors() throws IOException {
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
            return ""; // closed since the listing
        }
    }

    private record Piece(long offset, long bytes, long iova, boolean writable) {}

    /// Handler that records some of the requests, and ignores the other requests.
    private static final class Recorder {
        static final int BAD = 7;

        final List<String> calls = new ArrayList<>();
        Runnable whileMapping = () -> {};
        final List<Piece> mapped = new ArrayList<>();
        final List<Integer> batches = new ArrayList<>();
        int descriptor;
        BiConsumer<int[], Integer> onRunlist = (_, _) -> {};

        GpuRequests.Handler handler() {
            return (GpuRequests.Handler)
                    Proxy.newProxyInstance(
                            GpuRequests.Handler.class.getClassLoader(),
                            new Class<?>[] {GpuRequests.Handler.class},
                            (_, method, arguments) -> {
                                take(method.getName(), arguments);
                                return null;
                            });
        }

        private void take(String request, Object... operands) {
            switch (request) {
                case "onUnbind" -> {
                    failIf((int) operands[0] == BAD);
                    calls.add("unbind " + operands[0]);
                }
                case "onFlush" -> {
                    failIf((long) operands[0] == BAD);
                    calls.add("flush %s %d times".formatted(operands));
                }
                case "onMapDma" -> mapAll((List<?>) operands[0], (DmaRefusals) operands[1]);
                case "onUnmapDma" -> {
                    for (Object range : (List<?>) operands[0]) {
                        calls.add("unmap %#x".formatted(((DmaRange) range).iova()));
                    }
                }
                case "onRunlist" -> onRunlist.accept((int[]) operands[0], (int) operands[1]);
                default -> calls.add(text(request, operands));
            }
        }

        private static String text(String request, Object... operands) {
            StringBuilder text = new StringBuilder(request);
            for (int i = 0; operands != null && i < operands.length; i++) {
                text.append(' ').append(operands[i]);
            }
            return text.toString();
        }

        private static void failIf(boolean bad) {
            if (bad) {
                throw new IllegalStateException("made up");
            }
        }

        private void mapAll(List<?> mappings, DmaRefusals refusals) {
            batches.add(mappings.size());
            for (int i = 0; i < mappings.size(); i++) {
                try {
                    map((DmaMapping) mappings.get(i));
                } catch (GpuDeviceException e) {
                    refusals.onRefused(i, e);
                }
            }
        }

        private void map(DmaMapping atGuestPhysical) {
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
    }
}
