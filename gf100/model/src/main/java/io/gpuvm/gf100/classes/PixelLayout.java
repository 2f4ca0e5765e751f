package io.gpuvm.gf100.classes;

import java.util.Locale;

/// Where the channels of a pixel lie, and what their bits mean.
public final class PixelLayout {
    /// What a channel is for.
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

    /// @param channels each with its size in bits, from the lowest bit on, `B5 G6 R5` for instance;
    ///   a name that is none of [Channel] stands for bits that nobody uses
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

    /// Size of a pixel: 1, 2, 4, 8 or 16.
    public int bytes() {
        return bits / Byte.SIZE;
    }

    /// The lowest bit of a channel, from the start of the pixel.
    public int shift(Channel channel) {
        return shifts[channel.ordinal()];
    }

    /// The bits of a channel, moved down to bit 0.
    public long mask(Channel channel) {
        return (1L << sizes[channel.ordinal()]) - 1;
    }

    /// A channel's value as it is stored, at bit 0.
    ///
    /// @param word a float, or an integer for formats of integers and for stencil
    public long encode(Channel channel, int word) {
        return switch (channel) {
            case S -> word & mask(channel);
            // Only colours are stored with a curve.
            case A, Z -> encoding.linear().encode(word, sizes[channel.ordinal()]);
            case R, G, B -> encoding.encode(word, sizes[channel.ordinal()]);
        };
    }

    /// A channel's value: a float, or an integer for formats of integers. A channel that is not
    /// there is 0, alpha 1.
    ///
    /// @param stored at bit 0
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

    /// Whether channels hold integers instead of floats.
    public boolean isInteger() {
        return encoding.isInteger();
    }
}
