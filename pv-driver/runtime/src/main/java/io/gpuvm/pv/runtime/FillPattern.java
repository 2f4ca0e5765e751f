package io.gpuvm.pv.runtime;

/// Value that a fill repeats.
///
/// @param elementBytes length of the value: 1, 2 or 4 bytes
/// @param word value, repeated up to 4 bytes
public record FillPattern(int elementBytes, int word) {
    private static final int BYTE_MASK = (1 << Byte.SIZE) - 1;
    private static final int SHORT_MASK = (1 << Short.SIZE) - 1;

    /// Factors that repeat a byte or a short in a word.
    private static final int BYTES = Integer.divideUnsigned(-1, BYTE_MASK);

    private static final int SHORTS = Integer.divideUnsigned(-1, SHORT_MASK);

    public FillPattern {
        if (elementBytes != Byte.BYTES
                && elementBytes != Short.BYTES
                && elementBytes != Integer.BYTES) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "fill bytes of an element=%d, expected 1, 2 or 4".formatted(elementBytes));
        }
    }

    /// Returns a pattern of the lowest 8 bits of a value.
    public static FillPattern ofByte(int value) {
        return new FillPattern(Byte.BYTES, (value & BYTE_MASK) * BYTES);
    }

    /// Returns a pattern of the lowest 16 bits of a value.
    public static FillPattern ofShort(int value) {
        return new FillPattern(Short.BYTES, (value & SHORT_MASK) * SHORTS);
    }

    /// Returns a pattern of a value of 32 bits.
    public static FillPattern ofInt(int value) {
        return new FillPattern(Integer.BYTES, value);
    }
}
