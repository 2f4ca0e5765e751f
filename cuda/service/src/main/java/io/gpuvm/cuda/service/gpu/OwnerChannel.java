package io.gpuvm.cuda.service.gpu;

import io.gpuvm.gf100.driver.ChannelRing;
import io.gpuvm.pv.host.SessionChannel;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.HostMemory;

/// Channel of an [OwnerTransport]. The doorbell rings at the end of the poller's turn.
final class OwnerChannel implements GpuChannel {
    private final SessionChannel channel;
    private final HostMemory memory;
    private final Runnable onClosed;
    private final ChannelRing ring;
    private int rung;
    private boolean open = true;

    /// @param memory memory of the ring
    /// @param onClosed called when the channel is closed
    OwnerChannel(SessionChannel channel, HostMemory memory, Runnable onClosed) {
        this.channel = channel;
        this.memory = memory;
        this.onClosed = onClosed;
        ring = new ChannelRing(memory.segment(), channel::get);
    }

    @Override
    public int id() {
        return channel.id();
    }

    @Override
    public boolean offer(long gpuVa, int words) {
        return ring.offer(gpuVa, words);
    }

    @Override
    public void ring() {
        int put = ring.put();
        if (put != rung) {
            rung = put;
            channel.submit(put);
        }
    }

    @Override
    public ChannelFailure failure() {
        return channel.failure();
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            channel.close(memory::close);
            onClosed.run();
        }
    }

    @Override
    public String toString() {
        return "channel " + id();
    }
}
