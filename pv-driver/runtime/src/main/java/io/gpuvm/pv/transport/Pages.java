package io.gpuvm.pv.transport;

/// Sizes in whole pages.
public final class Pages {
    private Pages() {}

    /// Returns the smallest multiple of a page size, a power of two, that is not less than `bytes`.
    ///
    /// @throws TransportException if `bytes` is not a valid length of memory
    public static long roundUp(long bytes, long page) {
        long limit = Long.MAX_VALUE - page;
        if (bytes < 1 || bytes > limit) {
            throw new TransportException("bytes=%d, expected 1 to %d".formatted(bytes, limit));
        }
        return bytes + page - 1 & -page;
    }
}
