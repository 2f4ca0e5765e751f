package io.gpuvm.record;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// One record of a recording. Movable: what [RecordCursor] shows changes with its next step. Which
/// of the methods mean something is said by [#kind()]; layout: [RecordLayout].
public final class RecordView {
    private MemorySegment buffer;
    private long base;
    private int length;
    private int track;
    private RecordKind kind;

    RecordView() {}

    /// Moves to a record that was checked.
    void wrap(MemorySegment memory, long at, int bytes, int ofTrack, RecordKind ofKind) {
        buffer = memory;
        base = at;
        length = bytes;
        track = ofTrack;
        kind = ofKind;
    }

    public RecordKind kind() {
        return kind;
    }

    /// Number of the virtual machine whose record this is, -1 if it is of the GPU's owner or of the
    /// recording itself.
    public int vm() {
        return track - 1;
    }

    /// When it happened, by a clock that never runs backwards.
    public long timeNs() {
        return u64(RecordLayout.TIME);
    }

    /// Of a doorbell or a command: the guest's number of the channel.
    public int channel() {
        return Short.toUnsignedInt(buffer.get(RecordLayout.U16, base + RecordLayout.CHANNEL));
    }

    /// Of an access: its region.
    public int region() {
        return detail() & RecordLayout.REGION_MASK;
    }

    /// Of a write: whether the client did not wait for an answer.
    public boolean posted() {
        return (detail() & RecordLayout.POSTED) != 0;
    }

    /// Of an access: where it begins in its region.
    public long offset() {
        return Integer.toUnsignedLong(i32(RecordLayout.BODY));
    }

    /// Of an access or of memory: how many bytes of data there are.
    public int dataBytes() {
        return length - kind.leastBytes();
    }

    /// Of an access or of memory: copies the data.
    public void copyData(MemorySegment into, long at) {
        MemorySegment.copy(buffer, base + kind.leastBytes(), into, at, dataBytes());
    }

    /// Of an access of up to 8 bytes: its data, zero-extended.
    public long value() {
        long value = 0;
        for (int i = dataBytes() - 1; i >= 0; i--) {
            byte next = buffer.get(RecordLayout.U8, base + RecordLayout.ACCESS_DATA + i);
            value = value << Byte.SIZE | Byte.toUnsignedLong(next);
        }
        return value;
    }

    /// Of a map, an unmap or an interrupt set-up: flags as in the message.
    public int flags() {
        return i32(RecordLayout.BODY);
    }

    /// Of a map: whether the memory came with a file.
    public boolean shared() {
        return detail() != 0;
    }

    /// Of a map, an unmap, or memory: where it begins.
    public long guestPhys() {
        return switch (kind) {
            case DMA_MAP -> u64(RecordLayout.MAP_GUEST_PHYS);
            case DMA_UNMAP -> u64(RecordLayout.UNMAP_GUEST_PHYS);
            default -> u64(RecordLayout.BODY);
        };
    }

    /// Of a map or an unmap: how long it is.
    public long rangeBytes() {
        return u64(kind == RecordKind.DMA_MAP ? RecordLayout.MAP_SIZE : RecordLayout.UNMAP_SIZE);
    }

    /// Of an interrupt set-up: kind of interrupt.
    public int irqIndex() {
        return i32(RecordLayout.IRQS_INDEX);
    }

    /// Of an interrupt set-up: first vector.
    public int irqStart() {
        return i32(RecordLayout.IRQS_START);
    }

    /// Of an interrupt set-up: number of vectors.
    public int irqCount() {
        return i32(RecordLayout.IRQS_COUNT);
    }

    /// Of an interrupt set-up: how many eventfds came along.
    public int irqDescriptors() {
        return i32(RecordLayout.IRQS_DESCRIPTORS);
    }

    /// Of lost records: how many. Of memory that was too much: bytes. Of the end: records in all.
    public long count() {
        return u64(RecordLayout.BODY);
    }

    /// Of a command or a share: number of its virtual machine.
    public int commandVm() {
        return i32(RecordLayout.BODY);
    }

    /// Of a command: the engine that it was queued for, or is charged for.
    public int engine() {
        return detail();
    }

    /// Of a command that has ended, or is charged: GPU time that it was charged.
    public long usedNs() {
        return u64(RecordLayout.COMMAND_USED);
    }

    /// Of a share: its weight.
    public int weight() {
        return i32(RecordLayout.SHARE_WEIGHT);
    }

    /// Of a share: its cap in percent.
    public int capPercent() {
        return i32(RecordLayout.SHARE_CAP);
    }

    /// Of a policy: as on the command line.
    public String policy() {
        byte[] text = new byte[dataBytes()];
        copyData(MemorySegment.ofArray(text), 0);
        return new String(text, StandardCharsets.UTF_8);
    }

    private int detail() {
        return Byte.toUnsignedInt(buffer.get(RecordLayout.U8, base + RecordLayout.DETAIL));
    }

    private int i32(int at) {
        return buffer.get(RecordLayout.U32, base + at);
    }

    private long u64(int at) {
        return buffer.get(RecordLayout.U64, base + at);
    }

    @Override
    public String toString() {
        return "%s track=%d time=%d bytes=%d".formatted(kind, track, timeNs(), length);
    }
}
