package io.gpuvm.pv.transport;

/// Range of GPU addresses.
///
/// @param first first address
/// @param bytes length in bytes, at least 1
public record AddressRange(long first, long bytes) {
    /// Returns the address after the last address.
    public long end() {
        return first + bytes;
    }

    /// Returns the first address and the end, in hexadecimal.
    @Override
    public String toString() {
        return "%#x-%#x".formatted(first, end());
    }
}
