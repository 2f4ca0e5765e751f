package io.gpuvm.ptx.printf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Buffer in a module's global memory to which the kernels' calls of `vprintf` append records. A
/// module whose code calls `vprintf` has it as the variable [#SYMBOL]; the buffer is full after
/// [#CAPACITY] bytes, and then further calls count as dropped and return -1.
///
/// ```text
///   0     bytes of records, 32 bits; more than the capacity if a record did not fit
///   4     dropped records, 32 bits
///   16    records:
///         0   bytes of the record, 32 bits, a multiple of 8; 0 after the last record
///         4   bytes of the format with its terminating zero, 32 bits
///         8   format, then zeros up to a multiple of 8
///             arguments of 8 bytes each: bits of a number, or the offset in the record of a string
///             strings, each with its terminating zero
/// ```
///
/// The contents come from a guest and are not trusted. Drain the buffer only while no kernel of the
/// module runs. Confined to one thread.
public final class PrintfBuffer {
    /// Name of the variable that contains the buffer.
    public static final String SYMBOL = "__gpuvm_printf";

    /// Number of bytes before the records.
    public static final int HEADER_BYTES = 16;

    /// Maximum number of bytes of all records: the default of CUDA's limit
    /// `CU_LIMIT_PRINTF_FIFO_SIZE`.
    public static final int CAPACITY = 1 << 20;

    /// Number of bytes of the variable.
    public static final int BYTES = HEADER_BYTES + CAPACITY;

    private static final int DROPPED = 4;
    private static final int RECORD_HEADER_BYTES = 8;
    private static final int UNIT = 8;

    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment memory;

    /// @param memory memory of the variable, or a copy of its first [#usedBytes] bytes or more
    public PrintfBuffer(MemorySegment memory) {
        this.memory = memory;
    }

    /// Returns the number of bytes of a buffer that are in use, with the header; the others are
    /// zero.
    ///
    /// @param header first [#HEADER_BYTES] bytes of the buffer, or more
    public static int usedBytes(MemorySegment header) {
        long records = Integer.toUnsignedLong(header.get(WORD, 0));
        return HEADER_BYTES + (int) Math.min(records, CAPACITY);
    }

    /// Passes the text of each record, in order, and clears the buffer.
    ///
    /// @param output receives the texts
    /// @return number of calls of `vprintf` whose records did not fit
    public long drain(Consumer<String> output) {
        int used = (int) Math.min(usedBytes(memory), memory.byteSize());
        long dropped = Integer.toUnsignedLong(memory.get(WORD, DROPPED));
        int at = HEADER_BYTES;
        while (at <= used - RECORD_HEADER_BYTES) {
            int bytes = memory.get(WORD, at);
            if (bytes < RECORD_HEADER_BYTES || bytes % UNIT != 0 || bytes > used - at) {
                break;
            }
            output.accept(text(memory.asSlice(at, bytes)));
            at += bytes;
        }
        memory.asSlice(0, used).fill((byte) 0);
        return dropped;
    }

    private static String text(MemorySegment record) {
        int formatBytes = record.get(WORD, Integer.BYTES);
        int limit = (int) record.byteSize() - RECORD_HEADER_BYTES;
        if (formatBytes < 1 || formatBytes > limit) {
            return "";
        }
        String format = string(record, RECORD_HEADER_BYTES, formatBytes);
        int first = RECORD_HEADER_BYTES + (formatBytes + UNIT - 1 & -UNIT);
        return new PrintfFormat(format, new Arguments(record, first)).text();
    }

    /// Returns the text up to a zero or to a number of bytes.
    private static String string(MemorySegment record, long offset, long most) {
        long end = offset;
        long limit = Math.min(record.byteSize(), offset + most);
        while (end < limit && record.get(ValueLayout.JAVA_BYTE, end) != 0) {
            end++;
        }
        byte[] bytes = record.asSlice(offset, end - offset).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// Arguments of a record, in order.
    static final class Arguments {
        private final MemorySegment record;
        private long at;

        Arguments(MemorySegment record, int first) {
            this.record = record;
            this.at = first;
        }

        /// Returns the bits of the next argument, or zero if there is no other.
        long next() {
            if (at > record.byteSize() - Long.BYTES) {
                return 0;
            }
            long bits = record.get(LONG, at);
            at += Long.BYTES;
            return bits;
        }

        /// Returns the text of the next argument.
        String nextString() {
            long offset = next();
            if (offset == 0) {
                return "(null)";
            }
            boolean isInside = offset > 0 && offset < record.byteSize();
            return isInside ? string(record, offset, record.byteSize()) : "";
        }
    }
}
