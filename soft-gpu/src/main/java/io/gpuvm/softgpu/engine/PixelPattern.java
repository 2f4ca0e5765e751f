package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.PixelLayout;
import io.gpuvm.gf100.classes.PixelLayout.Channel;

/// One pixel of up to 16 bytes, repeated to fill 16 bytes, with a mask of the bits to write.
/// Mutable, so that it can be reused.
final class PixelPattern {
    /// Period of the pattern, in bytes.
    static final int BYTES = 2 * Long.BYTES;

    private static final Channel[] CHANNELS = Channel.values();

    private final long[] value = new long[2];
    private final long[] mask = new long[2];
    private PixelLayout layout;
    private boolean whole;

    /// Begins a pixel without components.
    PixelPattern start(PixelLayout pixel) {
        layout = pixel;
        value[0] = 0;
        value[1] = 0;
        mask[0] = 0;
        mask[1] = 0;
        return this;
    }

    /// Sets a component, if the layout has the component.
    ///
    /// @param word see [PixelLayout#encode]
    void put(Channel channel, int word) {
        put(channel, word, layout.mask(channel));
    }

    /// Sets some of a component's bits.
    void put(Channel channel, int word, long bits) {
        int shift = layout.shift(channel);
        int half = shift / Long.SIZE;
        long written = bits & layout.mask(channel);
        value[half] |= (layout.encode(channel, word) & written) << shift;
        mask[half] |= written << shift;
    }

    /// Replaces the pixel with another of the same layout.
    ///
    /// @param high bytes of the pixel from the ninth on, if the pixel has more than 8 bytes
    void putRaw(long low, long high) {
        value[0] = low;
        value[1] = high;
    }

    /// Repeats the pixel.
    ///
    /// @return whether the mask has any bits to write
    boolean finish() {
        whole = isWhole();
        if (layout.bytes() <= Long.BYTES) {
            value[0] = repeat(value[0]);
            mask[0] = repeat(mask[0]);
            value[1] = value[0];
            mask[1] = mask[0];
        }
        return (mask[0] | mask[1]) != 0;
    }

    /// Returns whether all bits are written, including unused bits.
    boolean writesAll() {
        return whole;
    }

    /// Returns the size of a pixel, in bytes.
    int pixelBytes() {
        return layout.bytes();
    }

    /// Returns eight bytes of a line of pixels with this pattern.
    ///
    /// @param column column of the first byte; the pattern repeats after 16 bytes
    long value(long column) {
        return at(value, column);
    }

    /// Returns the mask of the bits to write in eight bytes of a line.
    long mask(long column) {
        return at(mask, column);
    }

    private boolean isWhole() {
        for (Channel channel : CHANNELS) {
            long bits = layout.mask(channel) << layout.shift(channel);
            if ((mask[layout.shift(channel) / Long.SIZE] & bits) != bits) {
                return false;
            }
        }
        return true;
    }

    private long repeat(long pixel) {
        long repeated = pixel;
        for (int bits = layout.bytes() * Byte.SIZE; bits < Long.SIZE; bits *= 2) {
            repeated |= repeated << bits;
        }
        return repeated;
    }

    private static long at(long[] pair, long column) {
        int byteInPair = (int) column & BYTES - 1;
        int half = byteInPair / Long.BYTES;
        int shift = byteInPair % Long.BYTES * Byte.SIZE;
        long low = pair[half];
        return shift == 0 ? low : low >>> shift | pair[1 - half] << Long.SIZE - shift;
    }
}
