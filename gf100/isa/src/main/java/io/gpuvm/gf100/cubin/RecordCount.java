package io.gpuvm.gf100.cubin;

/// Number of records of a file: sections, symbols, relocations and attributes. A record needs some
/// hundred bytes of memory, but possibly only four bytes of the file.
final class RecordCount {
    /// Maximum number of records, several times that of the largest known files for sm_20.
    static final int LIMIT = 1 << 18;

    private long count;

    /// Counts records. Called before they are read.
    ///
    /// @param where part of the file, for messages
    /// @throws CubinException if there are too many
    void add(String where, long records) {
        count += records;
        if (count > LIMIT) {
            throw CubinException.at(where, "records", count, LIMIT);
        }
    }
}
