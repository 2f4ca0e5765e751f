package io.gpuvm.pv.bare;

import io.gpuvm.gf100.driver.ChannelRing;
import io.gpuvm.gf100.driver.Extent;
import io.gpuvm.gf100.driver.FifoControl;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.transport.GpuChannel;

/// A channel in host memory:
///
/// ```text
///  0      instance block
///  1000   USERD, behind the doorbell in BAR1
///  2000   ring, which the GPU reads through the address space
/// ```
///
/// How far the GPU has read is a load from USERD, so that offering work costs no access to the
/// device; [#ring()] is one.
final class NativeChannel implements GpuChannel {
    private static final long USERD = InstanceBlock.BYTES;
    private static final long RING = USERD + Userd.BYTES;

    private final NativeTransport transport;
    private final int id;
    private final HostPiece memory;
    private final Userd userd = new Userd();
    private final ChannelRing ring;
    private long ringGpuVa;

    /// Whether the GPU may run it. Guarded by the transport's lock.
    private boolean alive = true;

    /// Whether its user has it. Guarded by the transport's lock.
    private boolean open = true;

    private volatile ChannelFailure failure;

    /// @param memory zeroed, [#bytes()] long
    NativeChannel(NativeTransport transport, int id, HostPiece memory) {
        this.transport = transport;
        this.id = id;
        this.memory = memory;
        userd.wrap(memory.segment(), USERD);
        ring = new ChannelRing(memory.segment().asSlice(RING, ChannelRing.BYTES), userd::ibGet);
    }

    /// Bytes of host memory that a channel takes.
    static long bytes() {
        return RING + ChannelRing.BYTES;
    }

    /// What the address space is to show of it: the ring.
    Extent ringExtent() {
        return new Extent(memory.iova() + RING, ChannelRing.BYTES);
    }

    /// Writes the instance block.
    ///
    /// @param ringAt where the address space shows the ring
    void describe(AddressSpace space, long ringAt) {
        ringGpuVa = ringAt;
        space.describe(new InstanceBlock().wrap(memory.segment(), 0));
        new Ramfc()
                .wrap(memory.segment(), 0)
                .initialize(FifoControl.MEMORY, userdIova(), ringGpuVa, ChannelRing.ORDER);
    }

    long ringGpuVa() {
        return ringGpuVa;
    }

    long instanceIova() {
        return memory.iova();
    }

    long userdIova() {
        return memory.iova() + USERD;
    }

    HostPiece memory() {
        return memory;
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
        transport.ring(this, ring.put());
    }

    @Override
    public ChannelFailure failure() {
        return failure;
    }

    @Override
    public void close() {
        transport.close(this);
    }

    /// Keeps the first failure.
    void fail(ChannelFailure reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    boolean isAlive() {
        return alive;
    }

    void die() {
        alive = false;
    }

    boolean isOpen() {
        return open;
    }

    void end() {
        alive = false;
        open = false;
    }

    @Override
    public String toString() {
        return "channel " + id;
    }
}
