package io.gpuvm.pv.bare;

import io.gpuvm.gf100.driver.ChannelRing;
import io.gpuvm.gf100.driver.Extent;
import io.gpuvm.gf100.driver.FifoControl;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.unit.fifo.TransitionTable;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.transport.GpuChannel;

/// Channel with all data structures in host memory:
///
/// ```text
///  0      instance block
///  1000   USERD, which the doorbell's page in BAR1 maps
///  2000   ring, which the GPU reads through the address space
/// ```
///
/// The GPU's position is read from USERD, so that offering work does not access the device.
/// [#ring()] accesses the device once.
final class NativeChannel implements GpuChannel {
    /// States of a channel, for the GPU and the channel's user.
    enum State {
        /// The GPU may run the channel.
        RUNNING,
        /// The channel is open, but the GPU executes no more work for it.
        DEAD,
        /// The channel is closed. Its number stays in use if the GPU did not release the channel.
        CLOSED
    }

    /// Transitions between states.
    enum Transition {
        /// The channel is removed from the GPU.
        DIE,
        /// The user closes the channel, or the transport is closed.
        END
    }

    private static final TransitionTable<State, Transition> TABLE =
            TransitionTable.of(State.class, Transition.class)
                    .allow(Transition.DIE, State.RUNNING, State.DEAD)
                    .allow(Transition.DIE, State.DEAD, State.DEAD)
                    .allow(Transition.DIE, State.CLOSED, State.CLOSED)
                    .allow(Transition.END, State.RUNNING, State.CLOSED)
                    .allow(Transition.END, State.DEAD, State.CLOSED)
                    .allow(Transition.END, State.CLOSED, State.CLOSED)
                    .build();

    private static final long USERD = InstanceBlock.BYTES;
    private static final long RING = USERD + Userd.BYTES;

    private final NativeTransport transport;
    private final int id;
    private final HostPiece memory;
    private final Userd userd = new Userd();
    private final ChannelRing ring;
    private long ringGpuVa;

    /// Current state, guarded by the lock of the transport.
    private State state = State.RUNNING;

    private volatile ChannelFailure failure;

    /// @param memory zeroed memory of [#bytes()] bytes
    NativeChannel(NativeTransport transport, int id, HostPiece memory) {
        this.transport = transport;
        this.id = id;
        this.memory = memory;
        userd.wrap(memory.segment(), USERD);
        ring = new ChannelRing(memory.segment().asSlice(RING, ChannelRing.BYTES), userd::ibGet);
    }

    /// Returns the number of bytes of host memory for a channel.
    static long bytes() {
        return RING + ChannelRing.BYTES;
    }

    /// Returns the bus addresses of the ring, for a mapping in the address space.
    Extent ringExtent() {
        return new Extent(memory.iova() + RING, ChannelRing.BYTES);
    }

    /// Writes the instance block.
    ///
    /// @param ringAt GPU address of the ring
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

    /// Records the first failure, and ignores later failures.
    void fail(ChannelFailure reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    boolean isAlive() {
        return state == State.RUNNING;
    }

    void die() {
        change(Transition.DIE);
    }

    boolean isOpen() {
        return state != State.CLOSED;
    }

    void end() {
        change(Transition.END);
    }

    /// Changes the state; no other method changes it.
    private void change(Transition transition) {
        state = TABLE.after(state, transition);
    }

    @Override
    public String toString() {
        return "channel " + id;
    }
}
