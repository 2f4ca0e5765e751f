package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Rows;
import java.util.Arrays;

/// Set of lanes as a row of words, each all ones or zero.
///
/// The JVM vectorizes a loop that reads such words from an array, but would not vectorize shifts of
/// a mask by a variable count. Confined to the thread that runs the block.
final class LaneMask {
    /// Bit of a lane, by lane; elements after the lanes are 0.
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

    /// Returns the row for a mask, valid until the next call. Elements after the lanes are zero.
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

    /// Returns the bits of the lanes in an inclusive range.
    static int lanes(int from, int to) {
        return -1 >>> Rows.LANES - 1 - (to - from) << from;
    }

    /// Copies the words of a mask's lanes from rows to other rows.
    ///
    /// @param to first destination row
    /// @param from first source row
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

    /// Copies the words of the first lane to other lanes.
    ///
    /// @param mask lanes to change, among those from the first to the last
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

    /// Stores a word in a mask's lanes of a row.
    static void fill(int[] r, int row, int value, int mask) {
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            r[row + Integer.numberOfTrailingZeros(rest)] = value;
        }
    }
}
