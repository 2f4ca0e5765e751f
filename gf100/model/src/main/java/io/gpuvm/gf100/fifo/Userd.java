package io.gpuvm.gf100.fifo;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// User area of a channel, with the state of its ring. The doorbell is a write of [#IB_PUT] through
/// BAR1.
///
/// ```text
///  044  GET: address after the last word read, low        060  high
///  048  reference count
///  058  MGET: the same, outside subroutines, low          05c  high, b31 valid
///  088  IB_GET: next ring entry that the GPU reads
///  08c  IB_PUT: first ring entry that the GPU must not read
/// ```
///
/// The GPU and the driver access the area concurrently: indexes are read with acquire and written
/// with release semantics. Movable flyweight. Sources: envytools `docs/hw/fifo/dma-pusher.rst`;
/// nouveau `nvkm/engine/fifo/gf100.c`, `nouveau_dma.c`.
public final class Userd {
    /// Distance between the areas of consecutive channels, in bytes.
    public static final int BYTES = 0x1000;

    /// Offset of the doorbell.
    public static final int IB_PUT = 0x8c;

    private static final int GET = 0x44;
    private static final int REF_COUNT = 0x48;
    private static final int MGET = 0x58;
    private static final int MGET_HIGH = 0x5c;
    private static final int GET_HIGH = 0x60;
    private static final int IB_GET = 0x88;

    private static final BitField ADDRESS_HIGH = bits(7, 0);
    private static final BitField MGET_VALID = bit(31);

    private static final VarHandle WORD = Layout.U32.varHandle();

    private MemorySegment memory;
    private long base;

    /// Moves this flyweight to the area at `offset` of `memory`, a multiple of 4.
    public Userd wrap(MemorySegment memory, long offset) {
        this.memory = memory;
        this.base = offset;
        return this;
    }

    /// Returns the index of the first ring entry that the GPU must not read; writes that precede
    /// the write of the index are visible.
    public int ibPut() {
        return (int) WORD.getAcquire(memory, base + IB_PUT);
    }

    public Userd ibPut(int index) {
        WORD.setRelease(memory, base + IB_PUT, index);
        return this;
    }

    public int ibGet() {
        return (int) WORD.getAcquire(memory, base + IB_GET);
    }

    public Userd ibGet(int index) {
        WORD.setRelease(memory, base + IB_GET, index);
        return this;
    }

    /// Returns the address after the last word that was read.
    public long get() {
        return address(GET, GET_HIGH);
    }

    public Userd get(long gpuVa) {
        memory.set(Layout.U32, base + GET_HIGH, (int) (gpuVa >>> Integer.SIZE));
        WORD.setRelease(memory, base + GET, (int) gpuVa);
        return this;
    }

    /// Returns the address after the last word that was read outside of subroutines.
    public long mget() {
        return address(MGET, MGET_HIGH);
    }

    public Userd mget(long gpuVa) {
        int high = ADDRESS_HIGH.of((int) (gpuVa >>> Integer.SIZE)) | MGET_VALID.of(1);
        memory.set(Layout.U32, base + MGET_HIGH, high);
        WORD.setRelease(memory, base + MGET, (int) gpuVa);
        return this;
    }

    public int refCount() {
        return (int) WORD.getAcquire(memory, base + REF_COUNT);
    }

    public Userd refCount(int count) {
        WORD.setRelease(memory, base + REF_COUNT, count);
        return this;
    }

    private long address(int low, int high) {
        return Integer.toUnsignedLong((int) WORD.getAcquire(memory, base + low))
                | (long) ADDRESS_HIGH.get(memory.get(Layout.U32, base + high)) << Integer.SIZE;
    }
}
