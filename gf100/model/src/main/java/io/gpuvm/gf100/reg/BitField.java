package io.gpuvm.gf100.reg;

/// Contiguous bits of a 32- or 64-bit word, optionally a scaled quantity such as a page number.
///
/// @param high highest bit, at most 63
/// @param low lowest bit
/// @param scale number of bits by which [#bytes(long)] shifts the field left: 12 for a page number
///   that represents a byte address
public record BitField(int high, int low, int scale) {
    public BitField {
        if (low < 0 || high < low || high >= Long.SIZE || scale < 0) {
            throw new IllegalArgumentException(
                    "high=%d, low=%d, scale=%d, expected 0 <= low <= high <= 63 and scale >= 0"
                            .formatted(high, low, scale));
        }
    }

    /// Returns a field of several bits, given as in manuals, highest bit first.
    public static BitField bits(int high, int low) {
        return new BitField(high, low, 0);
    }

    /// Returns a field of one bit.
    public static BitField bit(int position) {
        return new BitField(position, position, 0);
    }

    /// Returns a field of the same bits that counts units of `1 << shift` bytes.
    public BitField scaledBy(int shift) {
        return new BitField(high, low, shift);
    }

    /// Returns the largest value of the field.
    public long max() {
        return -1L >>> (Long.SIZE - 1 - (high - low));
    }

    /// Returns the mask of the field in a 64-bit word.
    public long mask64() {
        return max() << low;
    }

    /// Returns the mask of the field in a 32-bit word.
    public int mask() {
        return (int) mask64();
    }

    /// Returns the field's value, unsigned.
    public int get(int word) {
        return (int) ((Integer.toUnsignedLong(word) >>> low) & max());
    }

    /// Returns the field's value, unsigned.
    public long get(long word) {
        return (word >>> low) & max();
    }

    /// Returns whether any bit of the field is set.
    public boolean isSet(int word) {
        return (word & mask()) != 0;
    }

    /// Returns whether any bit of the field is set.
    public boolean isSet(long word) {
        return (word & mask64()) != 0;
    }

    /// Returns a word with this field set to `value` and all other bits zero; drops excess bits of
    /// `value`.
    public int of(int value) {
        return (int) of(Integer.toUnsignedLong(value));
    }

    /// Returns a word with this field set to `value` and all other bits zero; drops excess bits of
    /// `value`.
    public long of(long value) {
        return (value & max()) << low;
    }

    /// Returns `word` with this field replaced by `value`.
    public int with(int word, int value) {
        return (word & ~mask()) | of(value);
    }

    /// Returns `word` with this field replaced by `value`.
    public long with(long word, long value) {
        return (word & ~mask64()) | of(value);
    }

    /// Returns the scaled quantity in bytes, for a field defined with [#scaledBy(int)].
    public long bytes(long word) {
        return get(word) << scale;
    }

    /// Returns a word whose field holds the quantity `bytes`, rounded down to the field's unit.
    public long ofBytes(long bytes) {
        return of(bytes >>> scale);
    }
}
