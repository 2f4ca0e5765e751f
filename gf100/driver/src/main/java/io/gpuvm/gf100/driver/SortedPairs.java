package io.gpuvm.gf100.driver;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/// Set of pairs of numbers, sorted by the first and then by the second number. The set is a treap
/// (Seidel and Aragon, 1996): a search tree of the pairs that is also a heap of random priorities,
/// which balance the tree for any order of insertions. Each call has expected time O(log n). The
/// tree is stored in arrays, which create no garbage and grow with the maximum number of pairs. One
/// thread at a time.
final class SortedPairs {
    /// Index that denotes no pair.
    static final int NONE = 0;

    private static final int FIRST_CAPACITY = 16;

    private long[] ones = new long[FIRST_CAPACITY];
    private long[] others = new long[FIRST_CAPACITY];
    private int[] priorities = new int[FIRST_CAPACITY];
    private int[] left = new int[FIRST_CAPACITY];
    private int[] right = new int[FIRST_CAPACITY];

    private int root = NONE;

    /// Head of the list of unused elements, linked by [#left]. Elements at [#end] and above have
    /// never been used.
    private int free = NONE;

    private int end = NONE + 1;

    /// State of the generator of priorities. It is not 0, and it is unpredictable, because a caller
    /// that predicts priorities could choose pairs for which the tree degenerates to a list.
    private int drawn = ThreadLocalRandom.current().nextInt() | 1;

    /// First result of [#split]: the tree of the lesser pairs.
    private int before;

    /// Second result of [#split]: the tree of all other pairs.
    private int notBefore;

    /// @param pair result of a search, valid until the next change
    long one(int pair) {
        return ones[pair];
    }

    /// @param pair result of a search, valid until the next change
    long other(int pair) {
        return others[pair];
    }

    /// Returns the first pair that is not less than (`one`, `other`), or [#NONE].
    int ceiling(long one, long other) {
        int found = NONE;
        for (int tree = root; tree != NONE; ) {
            if (comesBefore(tree, one, other)) {
                tree = right[tree];
            } else {
                found = tree;
                tree = left[tree];
            }
        }
        return found;
    }

    /// Returns the last pair that is less than (`one`, `other`), or [#NONE].
    int lower(long one, long other) {
        int found = NONE;
        for (int tree = root; tree != NONE; ) {
            if (comesBefore(tree, one, other)) {
                found = tree;
                tree = right[tree];
            } else {
                tree = left[tree];
            }
        }
        return found;
    }

    /// Returns the last pair, or [#NONE].
    int last() {
        int found = root;
        while (right[found] != NONE) {
            found = right[found];
        }
        return found;
    }

    /// Adds a pair, which must not be in the set.
    void add(long one, long other) {
        int pair = place();
        ones[pair] = one;
        others[pair] = other;
        priorities[pair] = draw();
        left[pair] = NONE;
        right[pair] = NONE;
        root = added(root, pair);
    }

    /// Removes a pair, which must be in the set.
    void remove(long one, long other) {
        root = removed(root, one, other);
    }

    private boolean comesBefore(int pair, long one, long other) {
        return ones[pair] < one || ones[pair] == one && others[pair] < other;
    }

    private int added(int tree, int pair) {
        if (tree == NONE) {
            return pair;
        }
        if (priorities[pair] > priorities[tree]) {
            split(tree, ones[pair], others[pair]);
            left[pair] = before;
            right[pair] = notBefore;
            return pair;
        }
        if (comesBefore(tree, ones[pair], others[pair])) {
            right[tree] = added(right[tree], pair);
        } else {
            left[tree] = added(left[tree], pair);
        }
        return tree;
    }

    private int removed(int tree, long one, long other) {
        if (comesBefore(tree, one, other)) {
            right[tree] = removed(right[tree], one, other);
            return tree;
        }
        if (ones[tree] != one || others[tree] != other) {
            left[tree] = removed(left[tree], one, other);
            return tree;
        }
        int rest = joined(left[tree], right[tree]);
        left[tree] = free;
        free = tree;
        return rest;
    }

    /// Splits a tree into the pairs that are less than (`one`, `other`), and all other pairs.
    private void split(int tree, long one, long other) {
        if (tree == NONE) {
            before = NONE;
            notBefore = NONE;
        } else if (comesBefore(tree, one, other)) {
            split(right[tree], one, other);
            right[tree] = before;
            before = tree;
        } else {
            split(left[tree], one, other);
            left[tree] = notBefore;
            notBefore = tree;
        }
    }

    /// Joins two trees; all pairs of the first must be less than all pairs of the second.
    private int joined(int first, int second) {
        if (first == NONE || second == NONE) {
            return first == NONE ? second : first;
        }
        if (priorities[first] > priorities[second]) {
            right[first] = joined(right[first], second);
            return first;
        }
        left[second] = joined(first, left[second]);
        return second;
    }

    private int place() {
        if (free != NONE) {
            int place = free;
            free = left[place];
            return place;
        }
        if (end == ones.length) {
            int more = 2 * end;
            ones = Arrays.copyOf(ones, more);
            others = Arrays.copyOf(others, more);
            priorities = Arrays.copyOf(priorities, more);
            left = Arrays.copyOf(left, more);
            right = Arrays.copyOf(right, more);
        }
        return end++;
    }

    /// Returns the next number of Marsaglia's xorshift generator (2003).
    private int draw() {
        drawn ^= drawn << 13;
        drawn ^= drawn >>> 17;
        drawn ^= drawn << 5;
        return drawn;
    }
}
