package io.gpuvm.record;

import io.gpuvm.trap.vfiouser.MessageTap;
import java.lang.foreign.MemorySegment;

/// Recorder of the messages of one virtual machine's client. Used by the virtual machine's thread.
public final class VmTrack implements MessageTap {
    /// Maximum offset: offsets have 32 bits in a record, and no region of the GPU is longer.
    private static final long MAX_OFFSET = 0xffff_ffffL;

    private final RecordRing ring;

    VmTrack(RecordRing ring) {
        this.ring = ring;
    }

    @Override
    public void onConnect() {
        mark(RecordKind.CONNECT);
    }

    @Override
    public void onDisconnect() {
        mark(RecordKind.DISCONNECT);
    }

    @Override
    public void onReset() {
        mark(RecordKind.RESET);
    }

    @Override
    public void onRead(int region, long offset, long count, MemorySegment memory, long at) {
        access(RecordKind.READ, region, offset, count, memory, at);
    }

    @Override
    public void onWrite(
            int region, long offset, long count, boolean posted, MemorySegment memory, long at) {
        int detail = posted ? region | RecordLayout.POSTED : region;
        access(RecordKind.WRITE, detail, offset, count, memory, at);
    }

    @Override
    public void onDmaMap(int flags, long fileOffset, long guestPhys, long bytes, boolean shared) {
        long at = ring.claim(RecordKind.DMA_MAP, shared ? 1 : 0, 0, RecordLayout.MAP_BYTES);
        if (at != RecordRing.NONE) {
            MemorySegment memory = ring.memory();
            memory.set(RecordLayout.U64, at + RecordLayout.BODY, Integer.toUnsignedLong(flags));
            memory.set(RecordLayout.U64, at + RecordLayout.MAP_FILE_OFFSET, fileOffset);
            memory.set(RecordLayout.U64, at + RecordLayout.MAP_GUEST_PHYS, guestPhys);
            memory.set(RecordLayout.U64, at + RecordLayout.MAP_SIZE, bytes);
            ring.commit(at);
        }
    }

    @Override
    public void onDmaUnmap(int flags, long guestPhys, long bytes) {
        long at = ring.claim(RecordKind.DMA_UNMAP, 0, 0, RecordLayout.UNMAP_BYTES);
        if (at != RecordRing.NONE) {
            MemorySegment memory = ring.memory();
            memory.set(RecordLayout.U64, at + RecordLayout.BODY, Integer.toUnsignedLong(flags));
            memory.set(RecordLayout.U64, at + RecordLayout.UNMAP_GUEST_PHYS, guestPhys);
            memory.set(RecordLayout.U64, at + RecordLayout.UNMAP_SIZE, bytes);
            ring.commit(at);
        }
    }

    @Override
    public void onSetIrqs(int flags, int index, int start, int count, int descriptors) {
        long at = ring.claim(RecordKind.SET_IRQS, 0, 0, RecordLayout.IRQS_BYTES);
        if (at != RecordRing.NONE) {
            MemorySegment memory = ring.memory();
            memory.set(RecordLayout.U32, at + RecordLayout.BODY, flags);
            memory.set(RecordLayout.U32, at + RecordLayout.IRQS_INDEX, index);
            memory.set(RecordLayout.U32, at + RecordLayout.IRQS_START, start);
            memory.set(RecordLayout.U32, at + RecordLayout.IRQS_COUNT, count);
            memory.set(RecordLayout.U32, at + RecordLayout.IRQS_DESCRIPTORS, descriptors);
            ring.commit(at);
        }
    }

    @Override
    public void onQuery(int command) {
        message(RecordKind.QUERY, command, 0);
    }

    @Override
    public void onRefused(int command, int errno) {
        message(RecordKind.REFUSED, command, errno);
    }

    /// Records a doorbell. Called after the memory that the GPU will read has been recorded.
    void onDoorbell(int channel, int from, int put) {
        long at = ring.claim(RecordKind.DOORBELL, 0, channel, RecordLayout.DOORBELL_BYTES);
        if (at != RecordRing.NONE) {
            ring.memory().set(RecordLayout.U32, at + RecordLayout.BODY, from);
            ring.memory().set(RecordLayout.U32, at + RecordLayout.DOORBELL_PUT, put);
            ring.commit(at);
        }
    }

    /// Records the current content of guest memory.
    ///
    /// @param bytes length, at most [RecordLayout#DATA_BYTES]
    void onMemory(long guestPhys, MemorySegment from, long offset, int bytes) {
        long at = ring.claim(RecordKind.MEMORY, 0, 0, RecordLayout.MEMORY_DATA + bytes);
        if (at != RecordRing.NONE) {
            ring.memory().set(RecordLayout.U64, at + RecordLayout.BODY, guestPhys);
            MemorySegment.copy(from, offset, ring.memory(), at + RecordLayout.MEMORY_DATA, bytes);
            ring.commit(at);
        }
    }

    /// Records the length of guest memory that the recording does not contain.
    void onMemoryCut(int channel, long bytes) {
        long at = ring.claim(RecordKind.MEMORY_CUT, 0, channel, RecordLayout.LOST_BYTES);
        if (at != RecordRing.NONE) {
            ring.memory().set(RecordLayout.U64, at + RecordLayout.BODY, bytes);
            ring.commit(at);
        }
    }

    /// Returns whether subsequent records would be dropped.
    boolean isStopped() {
        return ring.isStopped();
    }

    private void mark(RecordKind kind) {
        long at = ring.claim(kind, 0, 0, RecordLayout.HEADER_BYTES);
        if (at != RecordRing.NONE) {
            ring.commit(at);
        }
    }

    private void message(RecordKind kind, int command, int errno) {
        long at = ring.claim(kind, 0, 0, RecordLayout.MESSAGE_BYTES);
        if (at != RecordRing.NONE) {
            ring.memory().set(RecordLayout.U32, at + RecordLayout.BODY, command);
            ring.memory().set(RecordLayout.U32, at + RecordLayout.MESSAGE_ERRNO, errno);
            ring.commit(at);
        }
    }

    private void access(
            RecordKind kind, int detail, long offset, long count, MemorySegment from, long base) {
        for (long done = 0; done < count && offset + done <= MAX_OFFSET; ) {
            int bytes = (int) Math.min(count - done, RecordLayout.DATA_BYTES);
            long at = ring.claim(kind, detail, 0, RecordLayout.ACCESS_DATA + bytes);
            if (at != RecordRing.NONE) {
                MemorySegment memory = ring.memory();
                memory.set(RecordLayout.U32, at + RecordLayout.BODY, (int) (offset + done));
                MemorySegment.copy(from, base + done, memory, at + RecordLayout.ACCESS_DATA, bytes);
                ring.commit(at);
            }
            done += bytes;
        }
    }
}
