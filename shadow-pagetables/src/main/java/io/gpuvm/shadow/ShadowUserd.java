package io.gpuvm.shadow;

import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// USERD page that hardware uses in place of a guest's. Contains no pointer that hardware follows.
final class ShadowUserd {
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final ShadowParts parts;
    private final long offset;
    private MemoryTarget guestTarget;
    private long guestAddress;

    ShadowUserd(ShadowParts parts) {
        this.parts = parts;
        offset = parts.arena.take(ArenaBlock.USERD);
    }

    /// Returns whether the arena had space for the page.
    boolean exists() {
        return offset != VmArena.NONE;
    }

    MemoryTarget guestTarget() {
        return guestTarget;
    }

    long guestAddress() {
        return guestAddress;
    }

    long iova() {
        return parts.arena.iovaOf(offset);
    }

    MemorySegment memory() {
        return parts.arena.memory().asSlice(offset, Userd.BYTES);
    }

    /// Copies the guest's page.
    ///
    /// @param ibGet get index of the ring
    void load(MemoryTarget target, long address, int ibGet) {
        guestTarget = target;
        guestAddress = address;
        long[] page = parts.tablePage;
        parts.reader.page(target, address, page);
        memory().copyFrom(MemorySegment.ofArray(page));
        new Userd().wrap(memory(), 0).ibGet(ibGet).ibPut(ibGet);
    }

    /// Writes back to the guest's page the words that hardware has changed, except the put index,
    /// which belongs to the guest.
    void save() {
        long[] page = parts.tablePage;
        parts.reader.page(guestTarget, guestAddress, page);
        MemorySegment guest = MemorySegment.ofArray(page);
        PhysicalMemory memory = parts.setup.guestMmu().memory();
        for (int at = 0; at < Userd.BYTES; at += Integer.BYTES) {
            int word = memory().get(U32, at);
            if (at != Userd.IB_PUT && word != guest.get(U32, at)) {
                long value = Integer.toUnsignedLong(word);
                memory.write(guestTarget, guestAddress + at, Integer.BYTES, value);
                parts.onWriteBack(guestTarget, guestAddress + at, Integer.BYTES);
            }
        }
    }

    void free() {
        if (exists()) {
            parts.arena.giveBack(ArenaBlock.USERD, offset);
        }
    }
}
