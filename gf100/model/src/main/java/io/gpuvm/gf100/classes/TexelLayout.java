package io.gpuvm.gf100.classes;

/// Layout of a texel's channels in memory, red in the lowest bits. All channels of a layout have
/// the same size, in whole bytes; the hardware's other layouts are not listed.
///
/// Source: envytools `rnndb/graph/g80_texture.xml`, COMPONENTS_SIZES.
public enum TexelLayout {
    RGBA32(0x01, 4, 32),
    RGBA16(0x03, 4, 16),
    RG32(0x04, 2, 32),
    RGBA8(0x08, 4, 8),
    RG16(0x0c, 2, 16),
    R32(0x0f, 1, 32),
    RG8(0x18, 2, 8),
    R16(0x1b, 1, 16),
    R8(0x1d, 1, 8);

    private final int code;
    private final int channels;
    private final int bits;

    TexelLayout(int code, int channels, int bits) {
        this.code = code;
        this.channels = channels;
        this.bits = bits;
    }

    /// Returns the layout with the given code, or null if the code is unknown.
    static TexelLayout of(int code) {
        for (TexelLayout layout : values()) {
            if (layout.code == code) {
                return layout;
            }
        }
        return null;
    }

    /// Returns the layout with the given number and size of channels, or null if no layout has
    /// them.
    ///
    /// @param bits size of a channel in bits
    public static TexelLayout of(int channels, int bits) {
        for (TexelLayout layout : values()) {
            if (layout.channels == channels && layout.bits == bits) {
                return layout;
            }
        }
        return null;
    }

    int code() {
        return code;
    }

    /// Returns the number of channels: 1, 2 or 4.
    public int channels() {
        return channels;
    }

    /// Returns the size of a channel: 8, 16 or 32 bits.
    public int bits() {
        return bits;
    }

    /// Returns the size of a texel in bytes, a power of two up to 16.
    public int bytes() {
        return channels * bits / Byte.SIZE;
    }
}
