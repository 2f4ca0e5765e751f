package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Rows;

/// Detects whether the accesses of a warp's lanes are contiguous, or all at the same address: in
/// the whole warp, or in each half of the warp, because a warp contains two rows of a block of 16
/// by 16 threads.
///
/// Lanes outside the mask may have any address. Confined to the thread that runs the block.
final class LanePattern {
    private static final int HALF = Rows.LANES / 2;
    private static final int HALF_LANES = (1 << HALF) - 1;

    /// Number of a lane within its half, by lane.
    private static final int[] PLACES = new int[Rows.SPAN];

    /// All ones for a lane in the upper half, otherwise 0, by lane.
    private static final int[] UPPER = new int[Rows.SPAN];

    static {
        for (int l = 0; l < Rows.LANES; l++) {
            PLACES[l] = l % HALF;
            UPPER[l] = l < HALF ? 0 : -1;
        }
    }

    /// Number of groups of lanes: one or two.
    int groups;

    /// First lane of a group, by group.
    final int[] first = new int[2];

    /// Last lane of a group, by group.
    final int[] last = new int[2];

    /// Distance between the accesses of adjacent lanes in a group, in bytes: 0, or the width of an
    /// access.
    int step;

    /// Searches addresses for a pattern, and sets the fields to the pattern. Addresses with
    /// different upper words have no pattern.
    ///
    /// @param low row of the lower words
    /// @param high row of the upper words
    /// @param mask lanes of the access, at least one
    /// @param meant the same lanes, as a row
    /// @param bytes width of an access
    /// @return false if there is no pattern; the fields are then undefined
    boolean find(int[] r, int low, int high, int mask, int[] meant, int bytes) {
        int firstLane = Integer.numberOfTrailingZeros(mask);
        int lastLane = Rows.LANES - 1 - Integer.numberOfLeadingZeros(mask);
        int lower = mask & HALF_LANES;
        int upper = mask >>> HALF;
        int half = lower != 0 ? lower : upper;
        if (!findStep(r, low, firstLane, half, bytes)) {
            return false;
        }
        int start = r[low + firstLane] - (firstLane % HALF) * step;
        int between = 0;
        groups = 1;
        first[0] = firstLane;
        last[0] = lastLane;
        if (lower != 0 && upper != 0) {
            int place = Integer.numberOfTrailingZeros(upper);
            between = r[low + HALF + place] - place * step - start;
            if (between != HALF * step) {
                groups = 2;
                last[0] = Rows.LANES - 1 - Integer.numberOfLeadingZeros(lower);
                first[1] = HALF + place;
                last[1] = lastLane;
            }
        }
        int end = start + lastLane % HALF * step + (UPPER[lastLane] & between);
        return r[low + lastLane] == end
                && holds(r, low, start, between, high, r[high + firstLane], meant);
    }

    /// Returns whether stores may be executed group by group: the lanes of a group have the same
    /// address, or are all in the mask.
    boolean isStorable(int mask) {
        int together = 0;
        for (int group = 0; group < groups; group++) {
            together |= LaneMask.lanes(first[group], last[group]);
        }
        return step == 0 || (together & ~mask) == 0;
    }

    /// Derives the step from the first two lanes of a half.
    ///
    /// @return false if these lanes have no pattern
    private boolean findStep(int[] r, int low, int firstLane, int half, int bytes) {
        int others = half & half - 1;
        step = 0;
        if (others != 0) {
            int apart = Integer.numberOfTrailingZeros(others) - Integer.numberOfTrailingZeros(half);
            int difference = r[low + firstLane + apart] - r[low + firstLane];
            if (difference != 0) {
                step = bytes;
                return difference == apart * bytes;
            }
        }
        return true;
    }

    private boolean holds(
            int[] r, int low, int start, int between, int high, int highWord, int[] meant) {
        int by = step;
        int wrong = 0;
        for (int l = 0; l < Rows.SPAN; l++) {
            int expected = PLACES[l] * by + (UPPER[l] & between);
            wrong |= (r[low + l] - expected ^ start | r[high + l] ^ highWord) & meant[l];
        }
        return wrong == 0;
    }
}
