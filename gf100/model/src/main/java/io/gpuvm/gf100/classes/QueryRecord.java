package io.gpuvm.gf100.classes;

/// Record that semaphore releases and queries write.
///
/// ```text
///   0        4        8                16
///   +--------+--------+-----------------+
///   | value  |   0    |  GPU time in ns |
///   +--------+--------+-----------------+
/// ```
///
/// The short form consists of the value only. The value is written last, because drivers poll it.
/// Source: envytools `rnndb/g80_defs.xml`, `G80_QUERY`.
public final class QueryRecord {
    public static final int BYTES = 16;
    public static final int VALUE = 0;
    public static final int ZERO = 4;
    public static final int TIME = 8;

    private QueryRecord() {}
}
