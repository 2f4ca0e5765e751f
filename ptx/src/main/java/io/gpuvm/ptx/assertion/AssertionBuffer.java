package io.gpuvm.ptx.assertion;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Buffer in memory of the host in which kernels record failed assertions before they trap. A
/// module whose code calls `__assertfail` has the variable [#SYMBOL] with the buffer's address; the
/// loader of the module sets it. The initial value is 1: without an address, a failed assertion
/// only traps.
///
/// ```text
///   0        number of records that kernels have begun, 32 bits
///   1024     records of 1024 bytes:
///            0    1 if the record is complete, 32 bits
///            4    line, 32 bits
///            8    position of the block: x, y, z, 32 bits each
///            20   position of the thread: x, y, z, 32 bits each
///            32   file, function and expression, each with a terminating zero; texts that do not
///                 fit are cut off
/// ```
///
/// The contents come from a guest and are not trusted. Confined to one thread.
public final class AssertionBuffer {
    /// Name of the variable that contains the buffer's address.
    public static final String SYMBOL = "__gpuvm_assertions";

    /// Number of bytes of the variable.
    public static final int SYMBOL_BYTES = Long.BYTES;

    /// Maximum number of records; later failures are not recorded.
    public static final int RECORDS = 63;

    private static final int RECORD_BYTES = 1024;

    /// Number of bytes of the buffer.
    public static final int BYTES = (1 + RECORDS) * RECORD_BYTES;

    private static final int LINE = 4;
    private static final int BLOCK = 8;
    private static final int THREAD = 20;
    private static final int TEXTS = 32;

    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment memory;

    /// @param memory memory of the buffer, at least [#BYTES] bytes
    public AssertionBuffer(MemorySegment memory) {
        this.memory = memory;
    }

    /// Returns the complete records, in the order in which the threads began them.
    public List<FailedAssertion> read() {
        long begun = Integer.toUnsignedLong(memory.get(WORD, 0));
        List<FailedAssertion> failed = new ArrayList<>();
        for (int i = 1; i <= Math.min(begun, RECORDS); i++) {
            MemorySegment record = memory.asSlice((long) i * RECORD_BYTES, RECORD_BYTES);
            if (record.get(WORD, 0) == 1) {
                failed.add(read(record));
            }
        }
        return failed;
    }

    private static FailedAssertion read(MemorySegment record) {
        Texts texts = new Texts(record.asSlice(TEXTS).toArray(ValueLayout.JAVA_BYTE));
        return new FailedAssertion(
                texts.next(),
                record.get(WORD, LINE),
                texts.next(),
                texts.next(),
                index(record, BLOCK),
                index(record, THREAD));
    }

    private static FailedAssertion.Index index(MemorySegment record, int at) {
        return new FailedAssertion.Index(
                record.get(WORD, at),
                record.get(WORD, at + Integer.BYTES),
                record.get(WORD, at + 2 * Integer.BYTES));
    }

    /// Texts of a record, in order.
    private static final class Texts {
        private final byte[] bytes;
        private int at;

        Texts(byte[] bytes) {
            this.bytes = bytes;
        }

        /// Returns the next text; empty after the end.
        String next() {
            int start = Math.min(at, bytes.length);
            int end = start;
            while (end < bytes.length && bytes[end] != 0) {
                end++;
            }
            at = end + 1;
            return new String(bytes, start, end - start, StandardCharsets.UTF_8);
        }
    }
}
