package io.gpuvm.record;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Flyweight of a record, which [RecordCursor] moves to the next record with each step. Each method
/// applies only to the kinds that its description names. [RecordLayout] specifies the layout.
public final class RecordView {
    private MemorySegment buffer;
    private long base;
    private int length;
    private int track;
    private RecordKind kind;

    RecordView() {}

    /// Moves the flyweight to a checked record.
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

    /// Returns the number of the record's virtual machine, -1 for a record of the GPU's owner or of
    /// the recording.
    public int vm() {
        return track - 1;
    }

    /// Returns the time of the event on a monotonic clock.
    public long timeNs() {
        return u64(RecordLayout.TIME);
    }

    /// Returns the guest's number of the channel of a doorbell or a command.
    public int channel() {
        return Short.toUnsignedInt(buffer.get(RecordLayout.U16, base + RecordLayout.CHANNEL));
    }

    /// Returns the region of an access.
    public int region() {
        return detail() & RecordLayout.REGION_MASK;
    }

    /// Returns whether a write was posted: the client did not wait for a reply.
    public boolean posted() {
        return (detail() & RecordLayout.POSTED) != 0;
    }

    /// Returns the offset of an access in its region.
    public long offset() {
        return Integer.toUnsignedLong(i32(RecordLayout.BODY));
    }

    /// Returns the length of the data of an access or of memory.
    public int dataBytes() {
        return length - kind.leastBytes();
    }

    /// Copies the data of an access or of memory.
    public void copyData(MemorySegment into, long at) {
        MemorySegment.copy(buffer, base + kind.leastBytes(), into, at, dataBytes());
    }

    /// Returns the data of an access of up to 8 bytes, zero-extended.
    public long value() {
        long value = 0;
        for (int i = dataBytes() - 1; i >= 0; i--) {
            byte next = buffer.get(RecordLayout.U8, base + RecordLayout.ACCESS_DATA + i);
            value = value << Byte.SIZE | Byte.toUnsignedLong(next);
        }
        return value;
    }

    /// Returns the flags of a map, an unmap or an interrupt setup, as in the message.
    public int flags() {
        return i32(RecordLayout.BODY);
    }

    /// Returns whether the message of a map carried a file.
    public boolean shared() {
        return detail() != 0;
    }

    /// Returns the guest-physical start of a map, an unmap, or memory.
    public long guestPhys() {
        return switch (kind) {
            case DMA_MAP -> u64(RecordLayout.MAP_GUEST_PHYS);
            case DMA_UNMAP -> u64(RecordLayout.UNMAP_GUEST_PHYS);
            default -> u64(RecordLayout.BODY);
        };
    }

    /// Returns the length of a map or an unmap.
    public long rangeBytes() {
        return u64(kind == RecordKind.DMA_MAP ? RecordLayout.MAP_SIZE : RecordLayout.UNMAP_SIZE);
    }

    /// Returns the kind of interrupt in an interrupt setup, as VFIO's index.
    public int irqIndex() {
        return i32(RecordLayout.IRQS_INDEX);
    }

    /// Returns the first vector of an interrupt setup.
    public int irqStart() {
        return i32(RecordLayout.IRQS_START);
    }

    /// Returns the number of vectors of an interrupt setup.
    public int irqCount() {
        return i32(RecordLayout.IRQS_COUNT);
    }

    /// Returns the number of eventfds of an interrupt setup.
    public int irqDescriptors() {
        return i32(RecordLayout.IRQS_DESCRIPTORS);
    }

    /// Returns the count of a record: lost records (LOST), bytes beyond the limit (MEMORY_CUT), or
    /// all records (END).
    public long count() {
        return u64(RecordLayout.BODY);
    }

    /// Returns the number of the virtual machine of a command or a share.
    public int commandVm() {
        return i32(RecordLayout.BODY);
    }

    /// Returns the number of the session that has submitted a command, in its virtual machine.
    public int commandSession() {
        return i32(RecordLayout.COMMAND_SESSION);
    }

    /// Returns the engine for which a command was queued or is charged.
    public int engine() {
        return detail();
    }

    /// Returns the GPU time charged to a command that has ended or is charged, in nanoseconds.
    public long usedNs() {
        return u64(RecordLayout.COMMAND_USED);
    }

    /// Returns the weight of a share.
    public int weight() {
        return i32(RecordLayout.SHARE_WEIGHT);
    }

    /// Returns the cap of a share, in percent.
    public int capPercent() {
        return i32(RecordLayout.SHARE_CAP);
    }

    /// Returns the name of a policy, as on the command line.
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
