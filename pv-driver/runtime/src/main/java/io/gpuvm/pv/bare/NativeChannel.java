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
    /// What the GPU and its user have of it.
    enum State {
        /// The GPU may run it.
        RUNNING,
        /// Its user has it, but the GPU does nothing more for it.
        DEAD,
        /// Neither; its number may still be taken, if the GPU did not let go of it.
        CLOSED
    }

    /// Names of the transitions.
    enum Transition {
        /// It is taken off the GPU.
        DIE,
        /// Its user gives it up, or the transport ends.
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

    /// Guarded by the transport's lock.
    private State state = State.RUNNING;

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

    /// The only place where the state changes.
    private void change(Transition transition) {
        state = TABLE.after(state, transition);
    }

    @Override
    public String toString() {
        return "channel " + id;
    }
}
