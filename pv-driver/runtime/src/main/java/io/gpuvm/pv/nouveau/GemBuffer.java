package io.gpuvm.pv.nouveau;

/// Buffer of nouveau (GEM object), at a constant address.
///
/// @param handle nouveau's handle of the buffer
/// @param bytes length, a multiple of 4 KiB
/// @param gpuVa address, which nouveau has chosen
/// @param mapOffset offset at which the device file shows the buffer
record GemBuffer(int handle, Domain domain, long bytes, long gpuVa, long mapOffset) {
    /// Returns the address after the last byte.
    long end() {
        return gpuVa + bytes;
    }
}
