package io.gpuvm.pv.bare;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.driver.Extent;
import io.gpuvm.gf100.driver.FifoControl;
import io.gpuvm.gf100.driver.VramStore;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.transport.AddressRange;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.Pages;
import io.gpuvm.pv.transport.TransportException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Transport to a GPU without virtualization: the GPU's driver and only user.
///
/// Between [#open] and [#close()] no other code accesses the device. [#close()] leaves the device
/// open. Only one thread at a time may access registers, so one lock guards every operation that
/// does. Offering work to a channel needs no lock; ringing needs the lock. A thread of the
/// transport handles interrupts.
public final class NativeTransport implements GpuTransport {
    private static final Logger LOG = LoggerFactory.getLogger(NativeTransport.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final GpuLimits limits;
    private final HostStore host;
    private final VramStore vram;
    private final VramScrubber scrubber;
    private final FifoControl fifo;
    private final AddressSpace space;
    private final ChannelTable channels = new ChannelTable();
    private final ChannelSetup setup;
    private final InterruptReader interrupts;
    private final InterruptWaiters news;
    private final InterruptThread thread;
    private final CloseStack parts;

    /// Reason why the transport is unusable; null while it is usable.
    private String lost;

    private boolean closed;

    /// Takes over a GPU: resets it, and initializes it for one user.
    ///
    /// @param gpu GPU, which no other code uses until [#close()]
    /// @throws GpuDeviceException if the GPU does not respond, or Linux refuses a request
    /// @throws TransportException if there is not enough memory
    public static NativeTransport open(PhysicalGpu gpu) {
        CloseStack parts = new CloseStack();
        try {
            return new NativeTransport(gpu, parts);
        } catch (RuntimeException | Error e) {
            RuntimeException failure = parts.close();
            if (failure != null) {
                e.addSuppressed(failure);
            }
            throw e;
        }
    }

    private NativeTransport(PhysicalGpu gpu, CloseStack parts) {
        this.parts = parts;
        host = new HostStore(gpu);
        parts.push(host::close);
        gpu.reset();
        parts.push(gpu::reset);
        HostPiece runlist = host.take(FifoControl.RUNLIST_BYTES);
        fifo = new FifoControl(gpu, runlist.segment(), runlist.iova());
        parts.push(fifo::close);
        fifo.bringUp();
        limits = InstalledUnits.limits(gpu, fifo.registers());
        space = new AddressSpace(fifo.registers(), host);
        setup = new ChannelSetup(fifo, space, host, channels);
        vram = new VramStore(gpu.vramBytes());
        scrubber = new VramScrubber(gpu, lock);
        parts.push(scrubber::close);
        news = new InterruptWaiters(fifo.registers(), lock);
        interrupts =
                new InterruptReader(
                        fifo.registers(), channels, gpu::takeKernelPosition, new Failures());
        thread = new InterruptThread(this::serve, this::onLost);
        parts.push(thread::close);
        gpu.connectInterrupt(InterruptKind.MSI, thread.descriptor());
        parts.push(gpu::disconnectInterrupt);
        news.enable();
        interrupts.enable();
        thread.start();
    }

    @Override
    public GpuLimits limits() {
        return limits;
    }

    @Override
    public GpuMemory allocateVram(long bytes) {
        return allocateVram(bytes, space.addresses());
    }

    @Override
    public GpuMemory allocateVram(long bytes, GpuAddresses addresses) {
        long rounded = Pages.roundUp(bytes, PageSize.SMALL_4K.bytes());
        List<Extent> extents = locked(() -> takeVram(rounded));
        try {
            scrubber.scrub(extents);
            return locked(() -> {
                long gpuVa = space.map(addresses, MemoryTarget.VRAM, extents);
                return new NativeMemory(this, gpuVa, rounded, extents, addresses);
            });
        } catch (RuntimeException | Error e) {
            giveBack(extents);
            throw e;
        }
    }

    @Override
    public void reserve(AddressRange range) {
        space.addresses().reserve(range);
    }

    @Override
    public long freeVramBytes() {
        return locked(vram::freeBytes);
    }

    private List<Extent> takeVram(long bytes) {
        List<Extent> extents = vram.take(bytes);
        if (extents.isEmpty()) {
            throw new TransportException(
                    "vram bytes=%d, limit=%d left".formatted(bytes, vram.freeBytes()));
        }
        return extents;
    }

    private void giveBack(List<Extent> extents) {
        lock.lock();
        try {
            vram.giveBack(extents);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public HostMemory allocateHost(long bytes) {
        return locked(() -> {
            HostPiece piece = host.take(bytes);
            try {
                Extent extent = new Extent(piece.iova(), piece.bytes());
                long gpuVa = space.map(FifoControl.MEMORY, List.of(extent));
                return new NativeHostMemory(this, gpuVa, piece);
            } catch (TransportException e) {
                host.giveBack(piece);
                throw e;
            }
        });
    }

    @Override
    public GpuChannel openChannel() {
        return locked(() -> setup.open(this));
    }

    @Override
    public void awaitNews(long timeoutNs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            checkOpen();
            news.await(timeoutNs);
            checkOpen();
        } finally {
            lock.unlock();
        }
    }

    /// Ends all channels, even if they are busy, frees all memory, and resets the GPU.
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            failAll("transport is closed");
        } finally {
            lock.unlock();
        }
        // Both threads may be waiting for the lock.
        thread.end();
        scrubber.close();
        lock.lock();
        try {
            setup.endAll();
            RuntimeException failure = parts.close();
            if (failure != null) {
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }

    void ring(NativeChannel channel, int put) {
        lock.lock();
        try {
            setup.ring(channel, put);
        } finally {
            lock.unlock();
        }
    }

    void close(NativeChannel channel) {
        lock.lock();
        try {
            if (!closed) {
                setup.close(channel, interrupts::handle);
            }
        } finally {
            lock.unlock();
        }
    }

    void close(NativeMemory memory) {
        lock.lock();
        try {
            if (memory.end() && !closed) {
                release(memory, memory.addresses(), () -> vram.giveBack(memory.extents()));
            }
        } finally {
            lock.unlock();
        }
    }

    void close(NativeHostMemory memory) {
        lock.lock();
        try {
            if (memory.end() && !closed) {
                release(memory, space.addresses(), () -> host.giveBack(memory.piece()));
            }
        } finally {
            lock.unlock();
        }
    }

    /// Releases memory. If the GPU does not respond and may still use the memory, the memory stays
    /// allocated.
    private void release(GpuMemory memory, GpuAddresses addresses, Runnable giveBack) {
        try {
            space.unmap(addresses, memory.gpuVa(), memory.bytes());
            giveBack.run();
        } catch (GpuDeviceException e) {
            LOG.error("{} is not released: {}", memory, e.getMessage());
        }
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            checkOpen();
            return action.get();
        } catch (GpuDeviceException e) {
            throw new TransportException(e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    private void checkOpen() {
        if (lost != null) {
            throw new TransportException(lost);
        }
    }

    private void serve() {
        lock.lock();
        try {
            interrupts.handle();
        } finally {
            lock.unlock();
        }
    }

    /// Fails all channels and wakes all waiting threads.
    private void failAll(String reason) {
        lost = reason;
        ChannelFailure failure = new ChannelFailure(ChannelFailure.Kind.LOST, reason);
        channels.forEach(channel -> channel.fail(failure));
        news.tell();
    }

    /// Fails the transport, because no error is detected without interrupts.
    private void onLost(Throwable cause) {
        lock.lock();
        try {
            failAll("GPU interrupts are no longer handled: " + cause);
        } finally {
            lock.unlock();
        }
    }

    /// Handler of the failures and events that interrupts report.
    private final class Failures implements InterruptReader.Listener {
        @Override
        public void onFailure(NativeChannel channel, ChannelFailure failure, boolean ended) {
            LOG.debug("{}: {}: {}", channel, failure.what(), failure.message());
            channel.fail(failure);
            if (ended && channel.isAlive()) {
                setup.takeOff(channel);
            }
            news.tell();
        }

        @Override
        public void onNonStall() {
            news.tell();
        }
    }
}
