package io.gpuvm.pv.bare;

import io.gpuvm.pv.transport.TransportException;

/// Sizes in whole pages.
final class Pages {
    private Pages() {}

    /// The smallest multiple of a page size, a power of two, that is not less.
    ///
    /// @throws TransportException if it is no size that any memory has
    static long roundUp(long bytes, long page) {
        if (bytes < 1 || bytes > Long.MAX_VALUE - page) {
            throw new TransportException("bytes=%d, limit=at least 1".formatted(bytes));
        }
        return bytes + page - 1 & -page;
    }
}
