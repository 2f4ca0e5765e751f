package io.gpuvm.gf100.device;

/// Range of a device's bus addresses, `[first, last]`.
///
/// @param first lowest address, a multiple of 4 KiB
/// @param last highest address, inclusive
public record IovaRange(long first, long last) {
    public IovaRange {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException(
                    "iova: first=%#x, last=%#x, expected 0 <= first <= last"
                            .formatted(first, last));
        }
    }

    /// Returns whether `[iova, iova + bytes)` lies inside the range.
    public boolean contains(long iova, long bytes) {
        return iova >= first && bytes > 0 && iova <= last && bytes - 1 <= last - iova;
    }

    @Override
    public String toString() {
        return "%#x-%#x".formatted(first, last);
    }
}
