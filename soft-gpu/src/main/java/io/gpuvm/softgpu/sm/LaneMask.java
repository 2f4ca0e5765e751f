package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Rows;
import java.util.Arrays;

/// Which lanes are meant, as a row of words: all ones, or zero.
///
/// The JVM makes vectors of a loop that takes such words from an array, where it would not shift a
/// mask by a number that changes. Confined to the thread that runs the block.
final class LaneMask {
    /// By lane: its bit. What is behind the lanes has none.
    static final int[] BITS = bits();

    private final int[] words = new int[Rows.SPAN];
    private int current;

    private static int[] bits() {
        int[] bits = new int[Rows.SPAN];
        for (int l = 0; l < Rows.LANES; l++) {
            bits[l] = 1 << l;
        }
        return bits;
    }

    /// The row for a mask, until the next call. What is behind the lanes is zero.
    int[] of(int mask) {
        if (mask != current) {
            fill(mask);
        }
        return words;
    }

    private void fill(int mask) {
        current = mask;
        int[] to = words;
        for (int l = 0; l < Rows.SPAN; l++) {
            int bit = mask & BITS[l];
            to[l] = (bit | -bit) >> Integer.SIZE - 1;
        }
    }

    /// Bits of the lanes from one to another, both included.
    static int lanes(int from, int to) {
        return -1 >>> Rows.LANES - 1 - (to - from) << from;
    }

    /// Takes the words that are meant over from rows to others.
    ///
    /// @param to the first of the rows that they come to
    /// @param from the first of those that they are in
    static void blend(int[] r, int to, int from, int[] mask, int rows) {
        for (int k = 0; k < rows; k++) {
            blend(r, to + k * Rows.STRIDE, from + k * Rows.STRIDE, mask);
        }
    }

    private static void blend(int[] r, int to, int from, int[] mask) {
        for (int l = 0; l < Rows.SPAN; l++) {
            r[to + l] ^= (r[to + l] ^ r[from + l]) & mask[l];
        }
    }

    /// Gives lanes the words that the first of them has.
    ///
    /// @param mask those that get it, of the lanes from the first to the last
    static void spread(int[] r, int row, int first, int last, int mask, int rows) {
        int run = lanes(first, last);
        for (int k = 0; k < rows; k++) {
            int from = row + k * Rows.STRIDE;
            if ((run & ~mask) == 0) {
                Arrays.fill(r, from + first, from + last + 1, r[from + first]);
            } else {
                fill(r, from, r[from + first], run & mask);
            }
        }
    }

    /// Puts a word into lanes of a row.
    static void fill(int[] r, int row, int value, int mask) {
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            r[row + Integer.numberOfTrailingZeros(rest)] = value;
        }
    }
}
