package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.driver.ChannelRing;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.WakeLine;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.PvLimits;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.softgpu.SoftGpu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// Session whose front end executes actions of the test, on the bench's thread.
final class TestClient implements BenchGuest {
    /// GPU address of the private memory of [Space].
    static final long PRIVATE_VA = 1L << 28;

    static final long PRIVATE_BYTES = 1 << 17;

    /// Offset of the push buffer in this memory.
    private static final long PUSH = ChannelRing.BYTES;

    /// Offset of the word that [Space#release] writes.
    private static final long WORD = PRIVATE_BYTES - Long.BYTES;

    private static final int RING_ENTRIES = 16;

    private final PvBench bench;
    private final PvPlace place;
    private final PvSeat seat;
    private final MemFd file;
    private final MappedMemory mapping;
    private final PrivateMemory ownMemory;
    private final WakeLine line = WakeLine.create();
    private final PvGuest host;
    final SharedArea area;
    final TestFrontEnd frontEnd;
    final SessionGpu gpu;

    TestClient(PvBench bench, PvPlace place, PvSeat seat) {
        this.bench = bench;
        this.place = place;
        this.seat = seat;
        PvQuotas quotas = place.quotas();
        AreaLayout layout = AreaLayout.of(1, RING_ENTRIES, RING_ENTRIES, quotas.dataBytes());
        file = MemFd.create("gpuvm-test", layout.bytes());
        mapping =
                MappedMemory.map(
                        file.descriptor(), 0, layout.bytes(), MappedMemory.Access.READ_WRITE);
        ownMemory = PrivateMemory.create(place, quotas.privateBytes());
        PvLimits limits =
                new PvLimits(
                        place.gpuOfOne(),
                        quotas.handles(),
                        quotas.spaces(),
                        quotas.mappedPages(),
                        quotas.commandsInFlight(),
                        quotas.waits());
        area = SharedArea.create(mapping.segment(), RingProtocol.CUDA, layout, limits);
        bench.gpu.mapDma(
                new DmaMapping(
                        file.descriptor(),
                        layout.data(),
                        layout.dataBytes(),
                        place.memory().toBus(seat.dataGuestPhysical()),
                        true));
        bench.gpu.mapDma(ownMemory.dmaMapping(place.memory().toBus(seat.privateGuestPhysical())));
        AtomicReference<TestFrontEnd> opened = new AtomicReference<>();
        FrontEndWork work =
                new FrontEndWork(
                        place,
                        seat,
                        area,
                        ownMemory,
                        parts -> {
                            opened.set(new TestFrontEnd(parts));
                            return opened.get();
                        },
                        line::signal,
                        bench.poller::wake);
        frontEnd = opened.get();
        gpu = frontEnd.parts.gpu();
        host = new PvGuest(place, seat, area, HostWake.of(line), () -> {}, work);
    }

    @Override
    public PvGuest host() {
        return host;
    }

    @Override
    public PvSeat seat() {
        return seat;
    }

    @Override
    public void unmap(SoftGpu from) {
        from.unmapDma(place.memory().toBus(seat.dataGuestPhysical()), area.layout().dataBytes());
        from.unmapDma(place.memory().toBus(seat.privateGuestPhysical()), ownMemory.bytes());
    }

    /// Performs an action as a request of the session.
    ///
    /// @return result of the action
    /// @throws SessionGpuException if the action throws it
    <T> T call(Supplier<T> action) {
        AtomicReference<T> result = new AtomicReference<>();
        AtomicReference<SessionGpuException> refusal = new AtomicReference<>();
        boolean[] done = new boolean[1];
        frontEnd.requests.add(() -> {
            try {
                result.set(action.get());
            } catch (SessionGpuException e) {
                refusal.set(e);
            }
            done[0] = true;
        });
        bench.runUntil("the request", () -> done[0]);
        if (refusal.get() != null) {
            throw refusal.get();
        }
        return result.get();
    }

    /// Performs an action as a request of the session.
    void run(Runnable action) {
        call(() -> {
            action.run();
            return null;
        });
    }

    /// Address space with private memory for the ring of one channel.
    final class Space {
        final SessionSpace space = call(gpu::openSpace);
        final SessionMemory memory = call(() -> space.mapPrivate(PRIVATE_VA, PRIVATE_BYTES));
        private ChannelRing ring;
        private int pushed;
        SessionChannel channel;

        /// Opens the channel. To be called by a request.
        SessionChannel open() {
            channel = space.openChannel(PRIVATE_VA, ChannelRing.ORDER);
            ring = new ChannelRing(memory.segment(), channel::get);
            return channel;
        }

        /// Submits the release of a semaphore, by which the channel writes a word. To be called by
        /// a request.
        void release(long gpuVa, int value) {
            int[] words = TestPvGuest.releaseWords(gpuVa, value);
            long at = PUSH + (long) pushed++ * words.length * Integer.BYTES;
            MemorySegment.copy(words, 0, memory.segment(), ValueLayout.JAVA_INT, at, words.length);
            ring.offer(PRIVATE_VA + at, words.length);
            channel.submit(ring.put());
        }

        /// Submits the release of the semaphore that [#word()] reads.
        void release(int value) {
            release(PRIVATE_VA + WORD, value);
        }

        int word() {
            return (int) ValueLayout.JAVA_INT.varHandle().getAcquire(memory.segment(), WORD);
        }
    }

    @Override
    public void close() {
        mapping.close();
        file.close();
        ownMemory.close();
        line.close();
    }
}
