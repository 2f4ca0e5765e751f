package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// First 4 KiB of a shared area: magic number and version, offsets of the area's parts, and limits
/// of the guest.
///
/// The host writes the header once, with the magic number last, and never reads it back.
///
/// ```text
///  000  magic, u64                      008  version, u32         00c  header bytes, u32
///  010  features, u64                   018  area bytes, u64
///  020  channel table, u64              028  channels, u32        02c  bytes of a channel slot, u32
///  030  submission ring, u64            038  entries, u32         03c  bytes of an entry, u32
///  040  completion ring, u64            048  entries, u32         04c  0
///  050  data area, u64                  058  data bytes, u64
///
///  080  VRAM bytes, u64                 088  mapped pages, u64
///  090  handles, u32                    094  spaces, u32
///  098  channels, u32                   09c  commands in flight, u32
///  0a0  waits, u32                      0a4  multiprocessors, u32
///  0a8  copy engines, u32
///  0c0  name of the GPU, 64 bytes of UTF-8
/// ```
public final class AreaHeader {
    /// Length of the header in bytes.
    public static final int BYTES = 1 << 12;

    /// Length of the part of the header that has a meaning, in bytes; the rest are zeros.
    public static final int USED_BYTES = 1 << 8;

    /// Version of the protocol in this package. Guest and host must use the same version.
    public static final int VERSION = 1;

    private static final int AT_MAGIC = 0x00;
    private static final int AT_VERSION = 0x08;
    private static final int AT_HEADER_BYTES = 0x0c;
    private static final int AT_FEATURES = 0x10;
    private static final int AT_AREA_BYTES = 0x18;
    private static final int AT_CHANNEL_TABLE = 0x20;
    private static final int AT_CHANNEL_SLOTS = 0x28;
    private static final int AT_CHANNEL_SLOT_BYTES = 0x2c;
    private static final int AT_SUBMISSION_RING = 0x30;
    private static final int AT_SUBMISSION_ENTRIES = 0x38;
    private static final int AT_ENTRY_BYTES = 0x3c;
    private static final int AT_COMPLETION_RING = 0x40;
    private static final int AT_COMPLETION_ENTRIES = 0x48;
    private static final int AT_DATA = 0x50;
    private static final int AT_DATA_BYTES = 0x58;
    private static final int AT_VRAM_BYTES = 0x80;
    private static final int AT_MAPPED_PAGES = 0x88;
    private static final int AT_HANDLES = 0x90;
    private static final int AT_SPACES = 0x94;
    private static final int AT_CHANNELS = 0x98;
    private static final int AT_COMMANDS_IN_FLIGHT = 0x9c;
    private static final int AT_WAITS = 0xa0;
    private static final int AT_MULTIPROCESSORS = 0xa4;
    private static final int AT_COPY_ENGINES = 0xa8;
    private static final int AT_NAME = 0xc0;
    private static final int NAME_BYTES = 64;

    private static final VarHandle MAGIC_WORD = WireType.U64.varHandle();

    private AreaHeader() {}

    /// Writes the header of a new area, which must consist of zeros.
    public static void write(
            MemorySegment area, RingProtocol protocol, AreaLayout layout, PvLimits limits) {
        area.set(WireType.U32, AT_VERSION, VERSION);
        area.set(WireType.U32, AT_HEADER_BYTES, BYTES);
        area.set(WireType.U64, AT_FEATURES, 0);
        area.set(WireType.U64, AT_AREA_BYTES, layout.bytes());
        area.set(WireType.U64, AT_CHANNEL_TABLE, layout.channelTable());
        area.set(WireType.U32, AT_CHANNEL_SLOTS, layout.channels());
        area.set(WireType.U32, AT_CHANNEL_SLOT_BYTES, ChannelSlot.BYTES);
        area.set(WireType.U64, AT_SUBMISSION_RING, layout.submissionRing());
        area.set(WireType.U32, AT_SUBMISSION_ENTRIES, layout.submissionEntries());
        area.set(WireType.U32, AT_ENTRY_BYTES, RingEntry.BYTES);
        area.set(WireType.U64, AT_COMPLETION_RING, layout.completionRing());
        area.set(WireType.U32, AT_COMPLETION_ENTRIES, layout.completionEntries());
        area.set(WireType.U64, AT_DATA, layout.data());
        area.set(WireType.U64, AT_DATA_BYTES, layout.dataBytes());
        area.set(WireType.U64, AT_VRAM_BYTES, limits.gpu().vramBytes());
        area.set(WireType.U64, AT_MAPPED_PAGES, limits.mappedPages());
        area.set(WireType.U32, AT_HANDLES, limits.handles());
        area.set(WireType.U32, AT_SPACES, limits.spaces());
        area.set(WireType.U32, AT_CHANNELS, limits.gpu().channels());
        area.set(WireType.U32, AT_COMMANDS_IN_FLIGHT, limits.commandsInFlight());
        area.set(WireType.U32, AT_WAITS, limits.waits());
        area.set(WireType.U32, AT_MULTIPROCESSORS, limits.gpu().multiprocessors());
        area.set(WireType.U32, AT_COPY_ENGINES, limits.gpu().copyEngines());
        WireType.putText(area, AT_NAME, NAME_BYTES, limits.gpu().name());
        MAGIC_WORD.setRelease(area, (long) AT_MAGIC, protocol.magic());
    }

    /// Returns whether the host has written the header; if so, the whole header is visible.
    public static boolean isWritten(MemorySegment area, RingProtocol protocol) {
        return (long) MAGIC_WORD.getAcquire(area, (long) AT_MAGIC) == protocol.magic();
    }

    /// Reads the layout. Called by the guest.
    ///
    /// @throws IllegalArgumentException if the memory is not an area of this protocol and version,
    ///   if the header is invalid, or if the memory is shorter than the header states
    public static AreaLayout layout(MemorySegment area, RingProtocol protocol) {
        AreaLayout layout = layoutOf(area, protocol);
        if (layout.bytes() > area.byteSize()) {
            throw new IllegalArgumentException(
                    "areaBytes=%d, limit=%d".formatted(layout.bytes(), area.byteSize()));
        }
        return layout;
    }

    /// Reads the layout from a copy of the header.
    ///
    /// @param area first [#USED_BYTES] of an area
    /// @throws IllegalArgumentException if the header is not of this protocol and version, or if it
    ///   is invalid
    public static AreaLayout layoutOf(MemorySegment area, RingProtocol protocol) {
        if (!isWritten(area, protocol)) {
            throw new IllegalArgumentException(
                    "magic=%#x, expected=%#x"
                            .formatted(area.get(WireType.U64, AT_MAGIC), protocol.magic()));
        }
        same("version", area.get(WireType.U32, AT_VERSION), VERSION);
        same("entryBytes", area.get(WireType.U32, AT_ENTRY_BYTES), RingEntry.BYTES);
        same("channelSlotBytes", area.get(WireType.U32, AT_CHANNEL_SLOT_BYTES), ChannelSlot.BYTES);
        return new AreaLayout(
                area.get(WireType.U32, AT_CHANNEL_SLOTS),
                area.get(WireType.U64, AT_CHANNEL_TABLE),
                area.get(WireType.U32, AT_SUBMISSION_ENTRIES),
                area.get(WireType.U64, AT_SUBMISSION_RING),
                area.get(WireType.U32, AT_COMPLETION_ENTRIES),
                area.get(WireType.U64, AT_COMPLETION_RING),
                area.get(WireType.U64, AT_DATA),
                area.get(WireType.U64, AT_DATA_BYTES));
    }

    /// Reads the guest's limits. Called by the guest.
    ///
    /// @param area area, or a copy of its first [#USED_BYTES]
    public static PvLimits limits(MemorySegment area) {
        GpuLimits gpu =
                new GpuLimits(
                        WireType.text(area, AT_NAME, NAME_BYTES),
                        area.get(WireType.U64, AT_VRAM_BYTES),
                        area.get(WireType.U32, AT_CHANNELS),
                        area.get(WireType.U32, AT_MULTIPROCESSORS),
                        area.get(WireType.U32, AT_COPY_ENGINES));
        return new PvLimits(
                gpu,
                area.get(WireType.U32, AT_HANDLES),
                area.get(WireType.U32, AT_SPACES),
                area.get(WireType.U64, AT_MAPPED_PAGES),
                area.get(WireType.U32, AT_COMMANDS_IN_FLIGHT),
                area.get(WireType.U32, AT_WAITS));
    }

    private static void same(String name, int value, int expected) {
        if (value != expected) {
            throw new IllegalArgumentException(
                    "%s=%d, expected=%d".formatted(name, value, expected));
        }
    }
}
