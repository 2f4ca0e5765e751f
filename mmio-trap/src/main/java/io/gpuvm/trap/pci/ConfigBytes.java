package io.gpuvm.trap.pci;

/// Bytes of a configuration space: their values, their values after a reset, and the bits that a
/// driver may change.
final class ConfigBytes {
    private final byte[] values;
    private final byte[] resetValues;
    private final byte[] writable;

    ConfigBytes(int bytes) {
        values = new byte[bytes];
        resetValues = new byte[bytes];
        writable = new byte[bytes];
    }

    /// Defines a field of 1 to 4 bytes.
    ///
    /// @param writableBits bits that a driver may change
    void define(int offset, int width, int resetValue, int writableBits) {
        for (int i = 0; i < width; i++) {
            resetValues[offset + i] = (byte) (resetValue >>> i * Byte.SIZE);
            values[offset + i] = resetValues[offset + i];
            writable[offset + i] = (byte) (writableBits >>> i * Byte.SIZE);
        }
    }

    /// Returns a field: little-endian, zero-extended.
    long get(int offset, int width) {
        long value = 0;
        for (int i = width - 1; i >= 0; i--) {
            value = value << Byte.SIZE | Byte.toUnsignedInt(values[offset + i]);
        }
        return value;
    }

    /// Writes as a driver does: bits that are not writable stay unchanged.
    void write(int offset, int width, long value) {
        for (int i = 0; i < width; i++) {
            int mask = writable[offset + i];
            int bits = (int) (value >>> i * Byte.SIZE);
            values[offset + i] = (byte) (values[offset + i] & ~mask | bits & mask);
        }
    }

    /// Sets a field as the device does.
    void set(int offset, int width, int value) {
        for (int i = 0; i < width; i++) {
            values[offset + i] = (byte) (value >>> i * Byte.SIZE);
        }
    }

    void reset() {
        System.arraycopy(resetValues, 0, values, 0, values.length);
    }
}
