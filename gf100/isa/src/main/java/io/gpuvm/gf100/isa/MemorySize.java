package io.gpuvm.gf100.isa;

/// Width and kind of a memory access; the code is the ordinal. Narrow loads are extended to 32
/// bits.
public enum MemorySize {
    U8(1),
    S8(1),
    U16(2),
    S16(2),
    B32(4),
    /// Two registers.
    B64(8),
    /// Four registers.
    B128(16);

    private static final MemorySize[] ALL = values();

    private final int bytes;

    MemorySize(int bytes) {
        this.bytes = bytes;
    }

    /// Returns the size with this code; a code above the last is a programming error.
    public static MemorySize of(int code) {
        return ALL[code];
    }

    public int bytes() {
        return bytes;
    }

    /// Returns whether a loaded value is sign-extended.
    public boolean signed() {
        return this == S8 || this == S16;
    }
}
