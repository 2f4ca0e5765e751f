package io.gpuvm.gf100.device;

/// Addresses on a device's side of the bus, `[first, last]`.
///
/// @param first lowest address, a multiple of 4 KiB
/// @param last highest address, included
public record IovaRange(long first, long last) {
    public IovaRange {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException(
                    "iova first=%#x last=%#x, limit=not negative, in order".formatted(first, last));
        }
    }

    /// Whether `[iova, iova + bytes)` lies inside.
    public boolean contains(long iova, long bytes) {
        return iova >= first && bytes > 0 && iova <= last && bytes - 1 <= last - iova;
    }

    @Override
    public String toString() {
        return "%#x-%#x".formatted(first, last);
    }
}
