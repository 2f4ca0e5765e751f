package io.gpuvm.pv.bare;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.owner.FifoControl;
import io.gpuvm.pv.transport.ChannelFailure;
import io.gpuvm.pv.transport.GpuChannel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

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
    private static final int RING_ORDER = 10;
    private static final int RING_MASK = (1 << RING_ORDER) - 1;
    private static final long USERD = InstanceBlock.BYTES;
    private static final long RING = USERD + Userd.BYTES;
    private static final long RING_BYTES = (long) GpfifoEntry.BYTES << RING_ORDER;
    private static final ValueLayout.OfLong ENTRY =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final NativeTransport transport;
    private final int id;
    private final HostPiece memory;
    private final Userd userd = new Userd();
    private final MemorySegment ring;
    private long ringGpuVa;
    private int put;
    private int get;

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
        ring = memory.segment().asSlice(RING, RING_BYTES);
    }

    /// Bytes of host memory that a channel takes.
    static long bytes() {
        return RING + RING_BYTES;
    }

    /// What the address space is to show of it: the ring.
    Extent ringExtent() {
        return new Extent(memory.iova() + RING, RING_BYTES);
    }

    /// Writes the instance block.
    ///
    /// @param ringAt where the address space shows the ring
    void describe(AddressSpace space, long ringAt) {
        ringGpuVa = ringAt;
        space.describe(new InstanceBlock().wrap(memory.segment(), 0));
        new Ramfc()
                .wrap(memory.segment(), 0)
                .initialize(FifoControl.MEMORY, userdIova(), ringGpuVa, RING_ORDER);
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
        check(gpuVa, words);
        int next = put + 1 & RING_MASK;
        if (next == get) {
            get = userd.ibGet();
            if (next == get) {
                return false;
            }
        }
        ring.setAtIndex(ENTRY, put, GpfifoEntry.of(gpuVa, words));
        put = next;
        return true;
    }

    @Override
    public void ring() {
        transport.ring(this, put);
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

    private static void check(long gpuVa, int words) {
        if ((gpuVa & Integer.BYTES - 1) != 0 || (gpuVa & ~TableGeometry.VA_MASK) != 0) {
            throw new IllegalArgumentException(
                    "gpuVa=%#x, limit=a multiple of %d, up to %#x"
                            .formatted(gpuVa, Integer.BYTES, TableGeometry.VA_MASK));
        }
        if (words < 1 || words > GpfifoEntry.MAX_DWORDS) {
            throw new IllegalArgumentException(
                    "words=%d, limit=1 to %d".formatted(words, GpfifoEntry.MAX_DWORDS));
        }
    }
}
