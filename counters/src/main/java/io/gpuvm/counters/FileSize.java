package io.gpuvm.counters;

import org.agrona.concurrent.status.CountersReader;

/// Sizes of the parts of a counters file.
final class FileSize {
    private FileSize() {}

    /// Returns the length of a file with room for a number of counters, in bytes.
    static long of(int capacity) {
        return FileHeader.BYTES
                + (long) capacity
                        * (CountersReader.METADATA_LENGTH + CountersReader.COUNTER_LENGTH);
    }

    /// Returns the offset of the values in such a file.
    static int valuesAt(int capacity) {
        return FileHeader.BYTES + metadata(capacity);
    }

    /// Returns the length of the metadata, in bytes.
    static int metadata(int capacity) {
        return capacity * CountersReader.METADATA_LENGTH;
    }

    /// Returns the length of the values, in bytes.
    static int values(int capacity) {
        return capacity * CountersReader.COUNTER_LENGTH;
    }
}
