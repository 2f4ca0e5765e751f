package io.gpuvm.port;

import io.gpuvm.gf100.reg.Pfifo;

/// Set of channels in two forms: two words of bits in a record, and an array of numbers in a
/// runlist. Confined to one thread; allocates nothing after its creation.
final class ChannelBits {
    private final int[] channels = new int[Pfifo.CHANNELS];
    private long low;
    private long high;

    /// Packs numbers into words.
    ///
    /// @param numbers numbers of channels, 0 to 127; the first `count` are used
    void pack(int[] numbers, int count) {
        low = 0;
        high = 0;
        for (int i = 0; i < count; i++) {
            long bit = 1L << numbers[i] % Long.SIZE;
            if (numbers[i] < Long.SIZE) {
                low |= bit;
            } else {
                high |= bit;
            }
        }
    }

    /// Returns the bits of channels 0 to 63 of the last [#pack].
    long low() {
        return low;
    }

    /// Returns the bits of channels 64 to 127 of the last [#pack].
    long high() {
        return high;
    }

    /// Unpacks words into numbers, in the first elements of [#channels()].
    ///
    /// @return number of channels
    int unpack(long lowWord, long highWord) {
        int count = 0;
        for (long bits = lowWord; bits != 0; bits &= bits - 1) {
            channels[count++] = Long.numberOfTrailingZeros(bits);
        }
        for (long bits = highWord; bits != 0; bits &= bits - 1) {
            channels[count++] = Long.SIZE + Long.numberOfTrailingZeros(bits);
        }
        return count;
    }

    /// Returns the numbers of channels of the last [#unpack].
    int[] channels() {
        return channels;
    }
}
