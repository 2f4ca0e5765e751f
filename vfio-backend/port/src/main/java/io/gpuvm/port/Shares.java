package io.gpuvm.port;

/// Arithmetic of ranges that belong to a virtual machine.
final class Shares {
    private Shares() {}

    /// Throws if a range is unaligned or outside the configurable addresses.
    static void check(String name, long base, long bytes, long alignment, long lastAddress) {
        boolean aligned = base % alignment == 0 && bytes % alignment == 0;
        if (!aligned || base < 0 || bytes <= 0 || bytes - 1 > lastAddress - base) {
            throw new IllegalArgumentException(
                    "%s=%#x bytes=%#x, expected multiples of %#x, at least 1 byte, last address at most %#x"
                            .formatted(name, base, bytes, alignment, lastAddress));
        }
    }

    /// Returns whether `[start, start + length)` lies in `[0, bytes)`, for any start and length.
    static boolean contains(long bytes, long start, long length) {
        return start >= 0 && length >= 0 && length <= bytes && start <= bytes - length;
    }
}
