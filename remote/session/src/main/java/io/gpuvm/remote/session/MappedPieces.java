package io.gpuvm.remote.session;

import java.util.Arrays;

/// Pieces of a data area that are mapped in address spaces, ordered by space and address. Pieces do
/// not overlap in addresses.
final class MappedPieces {
    /// Maximum number of pieces.
    static final int MOST_PIECES = 1 << 16;

    private static final int FIRST_CAPACITY = 16;

    /// Receiver of removed parts.
    interface Removed {
        /// @param offset offset of the part in the data area
        /// @param bytes length of the part
        void onRemoved(long offset, long bytes);
    }

    private int[] spaces = new int[FIRST_CAPACITY];
    private long[] addresses = new long[FIRST_CAPACITY];
    private long[] lengths = new long[FIRST_CAPACITY];
    private long[] offsets = new long[FIRST_CAPACITY];
    private int count;

    /// Adds a piece. Continues the previous piece if possible.
    ///
    /// @param address GPU address of the first byte
    /// @param offset offset in the data area
    /// @return false if the piece overlaps another, or if there are too many pieces
    boolean add(int space, long address, long bytes, long offset) {
        int at = firstFrom(space, address);
        boolean hasBefore = at > 0 && spaces[at - 1] == space;
        boolean isOverlapping =
                hasBefore && address < end(at - 1)
                        || at < count && spaces[at] == space && addresses[at] < address + bytes;
        if (isOverlapping) {
            return false;
        }
        if (hasBefore && end(at - 1) == address && offsets[at - 1] + lengths[at - 1] == offset) {
            lengths[at - 1] += bytes;
            return true;
        }
        return insert(at, space, address, bytes, offset);
    }

    /// Removes a range of addresses.
    ///
    /// @param end address after the range
    /// @return false if there are too many pieces
    boolean remove(int space, long address, long end, Removed removed) {
        int first = firstFrom(space, address);
        if (first > 0 && spaces[first - 1] == space && end(first - 1) > address) {
            first--;
        }
        int after = first;
        while (after < count && spaces[after] == space && addresses[after] < end) {
            after++;
        }
        if (first == after) {
            return true;
        }
        long headBytes = Math.max(0, address - addresses[first]);
        long tailBytes = Math.max(0, end(after - 1) - end);
        long tailAddress = end(after - 1) - tailBytes;
        long tailOffset = offsets[after - 1] + lengths[after - 1] - tailBytes;
        for (int i = first; i < after; i++) {
            long skipped = i == first ? headBytes : 0;
            long kept = i == after - 1 ? tailBytes : 0;
            removed.onRemoved(offsets[i] + skipped, lengths[i] - skipped - kept);
        }
        if (headBytes > 0) {
            lengths[first] = headBytes;
            first++;
        }
        erase(first, after);
        return tailBytes == 0 || insert(first, space, tailAddress, tailBytes, tailOffset);
    }

    /// Removes all pieces.
    void clear() {
        count = 0;
    }

    private boolean insert(int at, int space, long address, long bytes, long offset) {
        if (count == MOST_PIECES) {
            return false;
        }
        if (count == spaces.length) {
            spaces = Arrays.copyOf(spaces, 2 * count);
            addresses = Arrays.copyOf(addresses, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
            offsets = Arrays.copyOf(offsets, 2 * count);
        }
        move(at, at + 1);
        spaces[at] = space;
        addresses[at] = address;
        lengths[at] = bytes;
        offsets[at] = offset;
        count++;
        return true;
    }

    private void erase(int first, int after) {
        move(after, first);
        count -= after - first;
    }

    /// Moves all pieces from an index on.
    private void move(int from, int to) {
        int moved = count - from;
        System.arraycopy(spaces, from, spaces, to, moved);
        System.arraycopy(addresses, from, addresses, to, moved);
        System.arraycopy(lengths, from, lengths, to, moved);
        System.arraycopy(offsets, from, offsets, to, moved);
    }

    /// Returns the index of the first piece of the space that begins at the address or later.
    private int firstFrom(int space, long address) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            boolean isBefore =
                    spaces[middle] < space
                            || spaces[middle] == space && addresses[middle] < address;
            if (isBefore) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private long end(int at) {
        return addresses[at] + lengths[at];
    }
}
