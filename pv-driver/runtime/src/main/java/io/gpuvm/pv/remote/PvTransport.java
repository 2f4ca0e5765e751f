package io.gpuvm.pv.remote;

import io.gpuvm.gf100.driver.ChannelRing;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.transport.AddressRange;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.Pages;
import io.gpuvm.pv.transport.TransportException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Transport of a paravirtual guest to its part of a GPU that a backend shares.
///
/// Commands pass through shared memory to the backend, which checks and executes them; submissions
/// do not wait for an answer. Host memory is allocated from the shared data area.
///
/// A backend that is gone, or does not answer for a minute, ends the transport: calls throw
/// [TransportException], and channels fail as [io.gpuvm.pv.protocol.ChannelFailure.Kind#LOST].
public final class PvTransport implements GpuTransport {
    private static final Logger LOG = LoggerFactory.getLogger(PvTransport.class);
    private static final long PAGE = PageSize.SMALL_4K.bytes();

    private final PvConnection connection;
    private final GpuLimits limits;
    private final DataArea data;
    private final GpuAddresses addresses = new GpuAddresses(PageSize.BIG_128K);
    private final CommandLink link;
    private final Hypercalls hypercalls;
    private final int space;

    /// Environment variable with the path of a backend's socket: the default of all paravirtual
    /// clients.
    public static final String SOCKET_VARIABLE = "GPUVM_SOCKET";

    /// Number of bytes of VRAM that this transport has allocated.
    private final AtomicLong vramBytes = new AtomicLong();

    /// Channels by number; null if the channel is not open.
    private final AtomicReferenceArray<PvChannel> channels;

    /// Connects to the backend whose socket the environment variable [#SOCKET_VARIABLE] names.
    ///
    /// @throws TransportException if the variable is not set, or as [#connect(Path)]
    public static PvTransport connect() {
        String socket = System.getenv(SOCKET_VARIABLE);
        if (socket == null || socket.isEmpty()) {
            throw new TransportException(SOCKET_VARIABLE + " is not set");
        }
        return connect(Path.of(socket));
    }

    /// Connects to a backend on this host. The backend chooses the size of the host memory.
    ///
    /// @param socket path of the backend's socket for this guest
    /// @throws TransportException if no backend listens, or if the backend refuses the guest; the
    ///   message contains the reason
    public static PvTransport connect(Path socket) {
        return connect(socket, CommandBatching.ON);
    }

    /// Connects as [#connect(Path)] does.
    ///
    /// @param batching use of the command ring
    public static PvTransport connect(Path socket, CommandBatching batching) {
        return open(SocketConnection.open(socket, 0), batching);
    }

    /// Opens a transport on a connection.
    ///
    /// @param connection connection; owned by the transport, which closes it, even on failure
    /// @throws TransportException if the backend does not answer, or refuses a command
    public static PvTransport open(PvConnection connection) {
        return open(connection, CommandBatching.ON);
    }

    /// Opens a transport as [#open(PvConnection)] does.
    ///
    /// @param batching use of the command ring
    public static PvTransport open(PvConnection connection, CommandBatching batching) {
        try {
            return new PvTransport(connection, batching);
        } catch (RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    private PvTransport(PvConnection connection, CommandBatching batching) {
        this.connection = connection;
        limits = connection.area().limits().gpu();
        data = new DataArea(connection);
        channels = new AtomicReferenceArray<>(connection.area().layout().channels());
        link = new CommandLink(connection, batching, this::onRefused);
        hypercalls = new Hypercalls(link);
        space = hypercalls.createSpace();
    }

    @Override
    public GpuLimits limits() {
        return limits;
    }

    @Override
    public GpuMemory allocateVram(long bytes) {
        return allocateVram(bytes, addresses);
    }

    @Override
    public GpuMemory allocateVram(long bytes, GpuAddresses from) {
        long rounded = Pages.roundUp(bytes, PAGE);
        if (rounded > limits.vramBytes()) {
            throw new TransportException(
                    "vram bytes=%d, limit=%d".formatted(rounded, limits.vramBytes()));
        }
        int memory = hypercalls.allocateVram(rounded);
        try {
            long gpuVa = map(from, memory, 0, rounded);
            vramBytes.addAndGet(rounded);
            return new PvMemory(this, gpuVa, rounded, memory, from);
        } catch (TransportException e) {
            undo(e, () -> hypercalls.freeVram(memory));
            throw e;
        }
    }

    @Override
    public void reserve(AddressRange range) {
        addresses.reserve(range);
    }

    @Override
    public long freeVramBytes() {
        return limits.vramBytes() - vramBytes.get();
    }

    @Override
    public HostMemory allocateHost(long bytes) {
        DataPiece piece = data.take(bytes);
        try {
            piece.zero();
            long gpuVa = map(addresses, Handle.DATA_AREA, piece.offset(), piece.bytes());
            return new PvHostMemory(this, gpuVa, piece);
        } catch (TransportException e) {
            data.giveBack(piece);
            throw e;
        }
    }

    @Override
    public GpuChannel openChannel() {
        HostMemory ring = allocateHost(ChannelRing.BYTES);
        try {
            int id = hypercalls.createChannel(space, ring.gpuVa(), ChannelRing.ORDER);
            PvChannel channel = new PvChannel(this, id, ring, connection.area().channel(id));
            channels.set(id, channel);
            return channel;
        } catch (TransportException e) {
            undo(e, ring::close);
            throw e;
        }
    }

    @Override
    public void awaitNews(long timeoutNs) throws InterruptedException {
        link.awaitNews(timeoutNs);
    }

    /// Closes the connection; the backend then ends all channels, even if they are busy, and
    /// releases all memory.
    @Override
    public void close() {
        if (link.close()) {
            data.close();
            connection.close();
        }
    }

    /// Returns the reason why the transport is unusable; null while the transport is usable.
    String lost() {
        return link.lost();
    }

    void submit(PvChannel channel, int put) {
        hypercalls.submit(channel.id(), put);
    }

    void declareFence(PvHostMemory memory, long offset) {
        hypercalls.declareFence(memory.piece().offset() + offset);
    }

    void close(PvChannel channel, HostMemory ring) {
        if (unlessLost(channel, () -> hypercalls.destroyChannel(channel.id()))) {
            channels.set(channel.id(), null);
            ring.close();
        }
    }

    void close(PvMemory memory) {
        if (unlessLost(
                memory,
                () ->
                        hypercalls.unmapAndFree(
                                space, memory.gpuVa(), memory.bytes(), memory.handle()))) {
            memory.addresses().giveBack(memory.gpuVa(), memory.bytes());
            vramBytes.addAndGet(-memory.bytes());
        }
    }

    void close(PvHostMemory memory) {
        if (unlessLost(memory, () -> hypercalls.unmap(space, memory.gpuVa(), memory.bytes()))) {
            addresses.giveBack(memory.gpuVa(), memory.bytes());
            data.giveBack(memory.piece());
        }
    }

    /// Allocates addresses, and maps memory there.
    private long map(GpuAddresses from, int memory, long offset, long bytes) {
        long gpuVa = from.take(bytes);
        try {
            hypercalls.map(space, gpuVa, memory, offset, bytes);
            return gpuVa;
        } catch (TransportException e) {
            from.giveBack(gpuVa, bytes);
            throw e;
        }
    }

    /// Asks the backend to release an object. An object that the backend does not release remains
    /// until the transport is closed.
    ///
    /// @return whether the guest may reuse the resources of the object
    private boolean unlessLost(Object what, Runnable end) {
        if (link.lost() != null) {
            return false;
        }
        try {
            end.run();
            return true;
        } catch (TransportException e) {
            LOG.warn("{} is not released: {}", what, e.getMessage());
            return false;
        }
    }

    private static void undo(TransportException failure, Runnable action) {
        try {
            action.run();
        } catch (TransportException e) {
            failure.addSuppressed(e);
        }
    }

    /// Informs a channel that the backend refused a submission. Called under the link's lock.
    private void onRefused(int channel, int statusCode) {
        PvChannel refused = channels.get(channel);
        if (refused != null) {
            refused.refuse(statusCode);
        }
    }
}
