package io.gpuvm.softgpu.sm;

import java.util.Arrays;

/// Where a warp's lanes go when those that execute now come to an end: the hardware's stack.
///
/// An entry is a set of lanes, a program counter, and what it was pushed for. Lanes that break,
/// continue, return or jump out are switched off until the entry made for that is popped; whenever
/// no lane is left, the top entry is popped and its lanes, but for those that are off, go on there.
/// A join switches lanes off without a mark: the entry that SSY has pushed has them all.
///
/// Sources: US patent 7,353,369 (tokens and their masks); envytools
/// `docs/hw/graph/tesla/cuda/control.rst`; `.S` under a predicate as envytools `envydis/gf100.c`
/// has it and as code of nvcc uses it.
final class DivergenceStack {
    /// Lanes of a branch that wait for the others.
    static final int DIVERGED = 0;

    /// A point where lanes join (SSY).
    static final int JOIN = 1;

    /// The end of a loop (PBK).
    static final int BREAK = 2;

    /// The next round of a loop (PCNT).
    static final int CONTINUE = 3;

    /// Where a call returns to (CAL, PRET).
    static final int RETURN = 4;

    /// Where a long jump goes (PLONGJMP).
    static final int LONG_JUMP = 5;

    private static final int KINDS = 6;

    /// Entries that a warp has without memory for more. The hardware's number is not public; it
    /// suffices there for code that asks for no call stack.
    private static final int OWN_ENTRIES = 32;

    private static final int ENTRY_BYTES = 8;

    /// Entries that a warp may have at the most. They are in the host's memory, which a launch does
    /// not pay for: what it says it has for them may not even be there.
    private static final int MOST_ENTRIES = 2048;

    private int[] kinds = new int[OWN_ENTRIES];
    private int[] masks = new int[OWN_ENTRIES];
    private int[] targets = new int[OWN_ENTRIES];
    private final int[] off = new int[KINDS];
    private int limit = OWN_ENTRIES;
    private int depth;

    /// Empties it for a launch.
    ///
    /// @param callStackBytes memory for more entries
    void start(int callStackBytes) {
        limit = Math.min(OWN_ENTRIES + callStackBytes / ENTRY_BYTES, MOST_ENTRIES);
        depth = 0;
        Arrays.fill(off, 0);
    }

    boolean isFull() {
        return depth == limit;
    }

    boolean isEmpty() {
        return depth == 0;
    }

    /// Only if it is not [#isFull()].
    void push(int kind, int mask, int target) {
        if (depth == kinds.length) {
            grow();
        }
        kinds[depth] = kind;
        masks[depth] = mask;
        targets[depth++] = target;
    }

    private void grow() {
        int entries = Math.min(2 * depth, MOST_ENTRIES);
        kinds = Arrays.copyOf(kinds, entries);
        masks = Arrays.copyOf(masks, entries);
        targets = Arrays.copyOf(targets, entries);
    }

    /// What the top entry was pushed for.
    int topKind() {
        return kinds[depth - 1];
    }

    /// Where the entry popped last leads.
    int target() {
        return targets[depth];
    }

    /// Removes the top entry.
    ///
    /// @return its lanes that are not off
    int pop() {
        depth--;
        int kind = kinds[depth];
        off[kind] &= ~masks[depth];
        return masks[depth] & ~off();
    }

    /// Switches lanes off until an entry of that kind is popped that has them.
    ///
    /// @param kind not [#DIVERGED] or [#JOIN]
    void switchOff(int kind, int mask) {
        off[kind] |= mask;
    }

    /// Whether lanes wait for an entry of that kind.
    boolean isAwaited(int kind) {
        return off[kind] != 0;
    }

    private int off() {
        return off[BREAK] | off[CONTINUE] | off[RETURN] | off[LONG_JUMP];
    }
}
