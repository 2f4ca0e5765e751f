package io.gpuvm.pv.bare;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.driver.Extent;
import io.gpuvm.gf100.driver.FifoControl;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.pv.transport.TransportException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creation and removal of channels on the GPU.
///
/// If the GPU does not release a channel in time, the failure is logged, and the channel retains
/// its number and memory until the GPU is reset.
final class ChannelSetup {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelSetup.class);

    private final FifoControl fifo;
    private final AddressSpace space;
    private final HostStore host;
    private final ChannelTable channels;
    private final int[] alive = new int[Pfifo.CHANNELS];

    ChannelSetup(FifoControl fifo, AddressSpace space, HostStore host, ChannelTable channels) {
        this.fifo = fifo;
        this.space = space;
        this.host = host;
        this.channels = channels;
    }

    /// Opens a channel and starts it.
    ///
    /// @throws TransportException if no channel, or no memory for it, is left
    NativeChannel open(NativeTransport transport) {
        int id = channels.free();
        if (id < 0) {
            throw new TransportException(
                    "channels=%d, limit=%d".formatted(Pfifo.CHANNELS + 1, Pfifo.CHANNELS));
        }
        HostPiece memory = host.take(NativeChannel.bytes());
        NativeChannel channel = new NativeChannel(transport, id, memory);
        try {
            Extent ring = channel.ringExtent();
            channel.describe(space, space.map(FifoControl.MEMORY, List.of(ring)));
        } catch (TransportException e) {
            host.giveBack(memory);
            throw e;
        }
        fifo.openDoorbell(id, channel.userdIova());
        fifo.bind(id, channel.instanceIova());
        fifo.start(id);
        channels.add(channel);
        commitRunlist();
        return channel;
    }

    /// Submits the entries of a channel's ring up to `put`, unless the channel is dead.
    void ring(NativeChannel channel, int put) {
        if (channel.isAlive()) {
            fifo.ring(channel.id(), put);
        }
    }

    /// Ends a channel, even if it is busy. Has no effect if the channel has already ended.
    ///
    /// @param interrupts handler of pending interrupts, so that late interrupts of this channel are
    ///   not attributed to the next channel with the same number and memory
    void close(NativeChannel channel, Runnable interrupts) {
        if (!channel.isOpen()) {
            return;
        }
        channel.end();
        boolean off = takeOff(channel);
        fifo.unbind(channel.id());
        if (off) {
            isAnswered(
                    channel,
                    () -> {
                        interrupts.run();
                        fifo.closeDoorbell(channel.id());
                        space.unmap(channel.ringGpuVa(), channel.ringExtent().bytes());
                        host.giveBack(channel.memory());
                        channels.remove(channel);
                    });
        }
    }

    /// Stops a channel on the GPU; the channel stays open.
    ///
    /// @return whether the GPU has released the channel
    boolean takeOff(NativeChannel channel) {
        channel.die();
        fifo.stop(channel.id());
        boolean preempted = isAnswered(channel, () -> fifo.preempt(channel.id()));
        return isAnswered(channel, this::commitRunlist) && preempted;
    }

    /// Ends all channels, before the GPU is reset.
    void endAll() {
        channels.forEach(NativeChannel::end);
        try {
            commitRunlist();
            channels.forEach(channel -> fifo.preempt(channel.id()));
            channels.forEach(channel -> fifo.unbind(channel.id()));
        } catch (GpuDeviceException e) {
            LOG.error("channels did not end, the GPU will be reset: {}", e.getMessage());
        }
    }

    private void commitRunlist() {
        fifo.runlist(alive, channels.collectAlive(alive));
    }

    private static boolean isAnswered(NativeChannel channel, Runnable request) {
        try {
            request.run();
            return true;
        } catch (GpuDeviceException e) {
            LOG.error("{}: {}", channel, e.getMessage());
            return false;
        }
    }
}
