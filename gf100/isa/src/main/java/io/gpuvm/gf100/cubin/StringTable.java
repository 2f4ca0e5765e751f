package io.gpuvm.gf100.cubin;

import java.util.HashMap;
import java.util.Map;

/// Names of a file's sections and symbols.
///
/// Names may share bytes, so the names of a small file could require a large amount of memory.
/// Therefore the total size of all names is limited.
final class StringTable {
    private static final int LONGEST_NAME = 1 << 16;

    private final FileBytes bytes;
    private final Map<Long, String> names = new HashMap<>();
    private final long limit;
    private long used;

    /// @param limit maximum number of bytes of all names
    StringTable(FileBytes bytes, long limit) {
        this.bytes = bytes;
        this.limit = limit;
    }

    String name(long offset) {
        String known = names.get(offset);
        if (known != null) {
            return known;
        }
        int length = bytes.textLength(offset, LONGEST_NAME);
        used += length;
        if (used > limit) {
            throw CubinException.at(bytes.name(), "bytes of names", used, limit);
        }
        String name = bytes.text(offset, length);
        names.put(offset, name);
        return name;
    }
}
