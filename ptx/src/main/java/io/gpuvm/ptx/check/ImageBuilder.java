package io.gpuvm.ptx.check;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Builds the initial contents of a variable. All variables of a module share a budget of bytes.
final class ImageBuilder {
    private static final int INITIAL_BYTES = 64;

    private byte[] bytes = new byte[0];
    private int size;
    private final List<PtxReference> references = new ArrayList<>();

    /// Stores the low bytes of a value.
    ///
    /// @param offset offset, within the limit that the caller checks
    void put(long offset, int count, long value) {
        if (value == 0) {
            return;
        }
        int end = (int) offset + count;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, Math.max(INITIAL_BYTES, bytes.length * 2)));
        }
        for (int i = 0; i < count; i++) {
            bytes[(int) offset + i] = (byte) (value >>> i * Byte.SIZE);
        }
        size = Math.max(size, end);
    }

    void refer(PtxReference reference) {
        references.add(reference);
    }

    /// Returns the number of bytes up to the last one that is not zero.
    int size() {
        return size;
    }

    MemorySegment contents() {
        return MemorySegment.ofArray(Arrays.copyOf(bytes, size)).asReadOnly();
    }

    List<PtxReference> references() {
        return references;
    }
}
