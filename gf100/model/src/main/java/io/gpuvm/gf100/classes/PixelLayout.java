package io.gpuvm.gf100.classes;

import java.util.Locale;

/// Positions of a pixel's channels, and their encoding.
public final class PixelLayout {
    /// Meaning of a channel.
    public enum Channel {
        R,
        G,
        B,
        A,
        /// Depth.
        Z,
        /// Stencil.
        S
    }

    private static final int CHANNELS = Channel.values().length;

    private final NumericFormat encoding;
    private final int[] shifts = new int[CHANNELS];
    private final int[] sizes = new int[CHANNELS];
    private final int bits;

    /// @param channels channels from the lowest bit upwards, each with its size in bits, such as
    ///   `B5 G6 R5`; a name that is not in [Channel] denotes unused bits
    PixelLayout(NumericFormat encoding, String channels) {
        this.encoding = encoding;
        int shift = 0;
        for (String part : channels.split(" ")) {
            int size = Integer.parseInt(part.substring(1));
            for (Channel channel : Channel.values()) {
                if (part.startsWith(channel.name().toUpperCase(Locale.ROOT))) {
                    shifts[channel.ordinal()] = shift;
                    sizes[channel.ordinal()] = size;
                }
            }
            shift += size;
        }
        bits = shift;
    }

    /// Returns the size of a pixel: 1, 2, 4, 8 or 16 bytes.
    public int bytes() {
        return bits / Byte.SIZE;
    }

    /// Returns the position of the lowest bit of a channel, from the start of the pixel.
    public int shift(Channel channel) {
        return shifts[channel.ordinal()];
    }

    /// Returns the mask of a channel, shifted to bit 0.
    public long mask(Channel channel) {
        return (1L << sizes[channel.ordinal()]) - 1;
    }

    /// Returns the stored form of a channel's value, at bit 0.
    ///
    /// @param word a float, or an integer for integer formats and for stencil
    public long encode(Channel channel, int word) {
        return switch (channel) {
            case S -> word & mask(channel);
            // The sRGB transfer function applies only to colours.
            case A, Z -> encoding.linear().encode(word, sizes[channel.ordinal()]);
            case R, G, B -> encoding.encode(word, sizes[channel.ordinal()]);
        };
    }

    /// Returns a channel's value: a float, or an integer for integer formats. A channel that the
    /// layout does not have is 0, except alpha, which is 1.
    ///
    /// @param stored stored form, at bit 0
    public int decode(Channel channel, long stored) {
        int size = sizes[channel.ordinal()];
        if (size == 0) {
            int one = isInteger() ? 1 : Float.floatToRawIntBits(1);
            return channel == Channel.A ? one : 0;
        }
        return channel == Channel.A
                ? encoding.linear().decode(stored, size)
                : encoding.decode(stored, size);
    }

    /// Returns whether channels hold integers instead of floats.
    public boolean isInteger() {
        return encoding.isInteger();
    }
}
