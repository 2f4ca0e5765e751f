package io.gpuvm.softgpu.engine;

import io.gpuvm.softgpu.mmu.VirtualMemory;
import java.util.function.LongSupplier;

/// Writer of the records by which engines report completion.
final class QueryWriter {
    private final VirtualMemory memory;
    private final LongSupplier clockNs;

    QueryWriter(ClassObjectParts parts) {
        memory = parts.memory();
        clockNs = parts.clockNs();
    }

    /// Returns whether an address is valid for a record.
    static boolean isAligned(int addressLow) {
        return addressLow % Integer.BYTES == 0;
    }

    /// Writes a value at a 4-byte-aligned address, after all earlier writes by the engine.
    ///
    /// @param shortForm whether only the value is written, without a zero and the time
    void write(long gpuVa, int value, boolean shortForm) {
        if (shortForm) {
            memory.release32(gpuVa, value);
        } else {
            memory.writeRecord(gpuVa, value, clockNs.getAsLong());
        }
    }

    /// Writes a value, a count and the time; in the short form, only the count.
    void writeCount(long gpuVa, int value, int count, boolean shortForm) {
        if (shortForm) {
            memory.release32(gpuVa, count);
        } else {
            memory.writeRecord(gpuVa, value, count, clockNs.getAsLong());
        }
    }

    /// Writes a 64-bit value and the time; in the short form, only the lower half of the value.
    void writeLong(long gpuVa, long value, boolean shortForm) {
        int high = (int) (value >>> Integer.SIZE);
        if (shortForm) {
            memory.release32(gpuVa, (int) value);
        } else {
            memory.writeRecord(gpuVa, (int) value, high, clockNs.getAsLong());
        }
    }
}
