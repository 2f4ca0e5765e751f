package io.gpuvm.pv.remote;

import io.gpuvm.gf100.driver.ChannelRing;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import java.util.concurrent.atomic.AtomicBoolean;

/// Channel whose ring lies in the guest's own memory. The backend publishes the GPU's position and
/// failures in the channel's slot, so that reading them costs no command.
final class PvChannel implements GpuChannel {
    private final PvTransport transport;
    private final int id;
    private final HostMemory memory;
    private final ChannelSlot slot;
    private final ChannelRing ring;
    private final AtomicBoolean closed = new AtomicBoolean();
    private int rung;
    private volatile ChannelFailure failure;

    /// @param memory memory of the ring
    PvChannel(PvTransport transport, int id, HostMemory memory, ChannelSlot slot) {
        this.transport = transport;
        this.id = id;
        this.memory = memory;
        this.slot = slot;
        ring = new ChannelRing(memory.segment(), slot::get);
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public boolean offer(long gpuVa, int words) {
        return ring.offer(gpuVa, words);
    }

    @Override
    public void ring() {
        int put = ring.put();
        if (put == rung || failure() != null) {
            return;
        }
        rung = put;
        try {
            transport.submit(this, put);
        } catch (TransportException _) {
            // The backend is gone, which [#failure()] reports.
        }
    }

    @Override
    public ChannelFailure failure() {
        if (failure == null) {
            String lost = transport.lost();
            if (lost != null) {
                fail(new ChannelFailure(ChannelFailure.Kind.LOST, lost));
            } else {
                look();
            }
        }
        return failure;
    }

    /// Records that the backend refused a submission.
    void refuse(int statusCode) {
        // The slot has the reason if the channel is dead.
        if (statusCode != CommandStatus.CHANNEL_DEAD.code()) {
            String reason = "submission refused: " + Call.reason(statusCode);
            fail(new ChannelFailure(ChannelFailure.Kind.LOST, reason));
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            transport.close(this, memory);
        }
    }

    @Override
    public String toString() {
        return "channel " + id;
    }

    private void look() {
        if (closed.get()) {
            return;
        }
        try {
            ChannelFailure told = slot.failure();
            if (told != null) {
                fail(told);
            }
        } catch (IllegalStateException _) {
            // The transport has been closed.
            fail(new ChannelFailure(ChannelFailure.Kind.LOST, transport.lost()));
        }
    }

    /// Records the first failure, and ignores later failures.
    private synchronized void fail(ChannelFailure reason) {
        if (failure == null) {
            failure = reason;
        }
    }
}
