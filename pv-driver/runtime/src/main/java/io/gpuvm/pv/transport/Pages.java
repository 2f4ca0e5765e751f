package io.gpuvm.pv.transport;

/// Sizes in whole pages.
public final class Pages {
    private Pages() {}

    /// Smallest multiple of a page size, a power of two, that is not less than `bytes`.
    ///
    /// @throws TransportException if `bytes` is not a possible length of memory
    public static long roundUp(long bytes, long page) {
        if (bytes < 1 || bytes > Long.MAX_VALUE - page) {
            throw new TransportException("bytes=%d, limit=at least 1".formatted(bytes));
        }
        return bytes + page - 1 & -page;
    }
}
