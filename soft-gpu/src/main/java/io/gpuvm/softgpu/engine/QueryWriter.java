package io.gpuvm.softgpu.engine;

import io.gpuvm.softgpu.mmu.VirtualMemory;
import java.util.function.LongSupplier;

/// Writes the record by which an engine reports completion.
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

    /// Writes a value at a multiple of 4, after all earlier writes of the engine.
    ///
    /// @param shortForm whether the time is omitted
    void write(long gpuVa, int value, boolean shortForm) {
        if (shortForm) {
            memory.release32(gpuVa, value);
        } else {
            memory.writeRecord(gpuVa, value, clockNs.getAsLong());
        }
    }

    /// Writes a value, and a count in place of the zero after it.
    void writeCount(long gpuVa, int value, int count, boolean shortForm) {
        if (shortForm) {
            memory.release32(gpuVa, count);
        } else {
            memory.writeRecord(gpuVa, value, count, clockNs.getAsLong());
        }
    }

    /// Writes 64 bits in place of the value and the zero after it.
    void writeLong(long gpuVa, long value, boolean shortForm) {
        int high = (int) (value >>> Integer.SIZE);
        if (shortForm) {
            memory.release32(gpuVa, (int) value);
        } else {
            memory.writeRecord(gpuVa, (int) value, high, clockNs.getAsLong());
        }
    }
}
