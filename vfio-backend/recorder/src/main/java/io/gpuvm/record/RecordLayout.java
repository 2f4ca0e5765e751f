package io.gpuvm.record;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Layout of a recording's queue. All numbers are little-endian.
///
/// An excerpt of the queue is a batch of records of one track: track 0 belongs to the recording and
/// the GPU's owner, track 1 + n to virtual machine n. Records of a track are in the order of the
/// events; records of different tracks are ordered only by their times.
///
/// ```text
///  batch     0       4       8
///           +-------+-------+--------------+--------------+---
///           | track | bytes | record       | record       | ...   records begin at multiples of 8
///           +-------+-------+--------------+--------------+---
///
///  record    0       4    5    6         8               16
///           +-------+----+----+---------+---------------+------
///           | length|kind|detl| channel |   time, ns    | body      length: without padding
///           +-------+----+----+---------+---------------+------
/// ```
///
/// Times are from a monotonic clock without a defined epoch. Bodies, from byte 16 of the record,
/// and the meaning of `detail`:
///
/// ```text
///  BEGIN        milliseconds since 1970: 8
///  END          records: 8, of which lost: 8
///  LOST         records that are missing: 8
///  READ, WRITE  offset: 4, data                                  detail: b3:0 region, b7 posted
///  DMA_MAP      flags: 4, pad: 4, file offset: 8, guest-physical: 8, bytes: 8     detail: shared
///  DMA_UNMAP    flags: 4, pad: 4, guest-physical: 8, bytes: 8
///  SET_IRQS     flags: 4, index: 4, start: 4, count: 4, descriptors: 4
///  QUERY        command: 4, pad: 4
///  REFUSED      command: 4, errno: 4
///  MEMORY       guest-physical: 8, data
///  MEMORY_CUT   bytes that are missing: 8
///  DOORBELL     first new entry: 4, entry after the last: 4
///  SUBMITTED, STARTED, COMPLETED, WITHDRAWN, CHARGED
///               virtual machine: 4, session: 4, GPU time used, ns: 8      detail: engine
///  SHARE        virtual machine: 4, weight: 4, cap in percent: 4
///  POLICY       as on the command line, UTF-8
/// ```
///
/// Engines are graphics (0) and the copy engines (1, 2). An access longer than [#DATA_BYTES]
/// becomes several records.
final class RecordLayout {
    /// Version of this layout and of `recording.json`. Readers refuse all other versions.
    static final int VERSION = 2;

    /// Maximum length of the data of an access or of memory in one record.
    static final int DATA_BYTES = 4096;

    static final int BATCH_TRACK = 0;
    static final int BATCH_BYTES = 4;
    static final int BATCH_HEADER_BYTES = 8;

    /// Length of the longest batch.
    static final int MAX_BATCH_BYTES = 64 << 10;

    static final int ALIGNMENT = 8;

    static final int LENGTH = 0;
    static final int KIND = 4;
    static final int DETAIL = 5;
    static final int CHANNEL = 6;
    static final int TIME = 8;
    static final int HEADER_BYTES = 16;

    static final int BODY = HEADER_BYTES;

    static final int BEGIN_BYTES = BODY + 8;
    static final int END_LOST = BODY + 8;
    static final int END_BYTES = BODY + 16;
    static final int LOST_BYTES = BODY + 8;

    static final int ACCESS_DATA = BODY + 4;
    static final int REGION_MASK = 0x0f;
    static final int POSTED = 0x80;

    static final int MAP_FILE_OFFSET = BODY + 8;
    static final int MAP_GUEST_PHYS = BODY + 16;
    static final int MAP_SIZE = BODY + 24;
    static final int MAP_BYTES = BODY + 32;

    static final int UNMAP_GUEST_PHYS = BODY + 8;
    static final int UNMAP_SIZE = BODY + 16;
    static final int UNMAP_BYTES = BODY + 24;

    static final int IRQS_INDEX = BODY + 4;
    static final int IRQS_START = BODY + 8;
    static final int IRQS_COUNT = BODY + 12;
    static final int IRQS_DESCRIPTORS = BODY + 16;
    static final int IRQS_BYTES = BODY + 20;

    static final int MESSAGE_ERRNO = BODY + 4;
    static final int MESSAGE_BYTES = BODY + 8;

    static final int MEMORY_DATA = BODY + 8;

    static final int DOORBELL_PUT = BODY + 4;
    static final int DOORBELL_BYTES = BODY + 8;

    /// Session of the channel in a SUBMITTED record, otherwise 0.
    static final int COMMAND_SESSION = BODY + 4;

    static final int COMMAND_USED = BODY + 8;
    static final int COMMAND_BYTES = BODY + 16;

    static final int SHARE_WEIGHT = BODY + 4;
    static final int SHARE_CAP = BODY + 8;
    static final int SHARE_BYTES = BODY + 12;

    static final int POLICY_DATA = BODY;

    static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private RecordLayout() {}

    /// Returns a length including its padding.
    static int padded(int bytes) {
        return bytes + ALIGNMENT - 1 & -ALIGNMENT;
    }
}
