package io.gpuvm.port;

import io.gpuvm.gf100.reg.Pfifo;

/// A set of channels as a record holds it, two words of bits; and as a runlist is handed over, an
/// array of numbers. Confined to one thread; nothing here allocates.
final class ChannelBits {
    private final int[] channels = new int[Pfifo.CHANNELS];
    private long low;
    private long high;

    /// Makes words of numbers.
    ///
    /// @param numbers of channels, 0 to 127; the first `count` count
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

    /// Bits of channels 0 to 63, as packed last.
    long low() {
        return low;
    }

    /// Bits of channels 64 to 127, as packed last.
    long high() {
        return high;
    }

    /// Makes numbers of words, in the first elements of [#channels()].
    ///
    /// @return how many they are
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

    /// Numbers of channels, as unpacked last.
    int[] channels() {
        return channels;
    }
}
