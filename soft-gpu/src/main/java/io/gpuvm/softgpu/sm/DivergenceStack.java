package io.gpuvm.softgpu.sm;

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

    private final int[] kinds;
    private final int[] masks;
    private final int[] targets;
    private final int[] off = new int[KINDS];
    private int depth;

    /// @param callStackBytes memory for more entries
    DivergenceStack(int callStackBytes) {
        int entries = entries(callStackBytes);
        kinds = new int[entries];
        masks = new int[entries];
        targets = new int[entries];
    }

    private static int entries(int callStackBytes) {
        return OWN_ENTRIES + callStackBytes / ENTRY_BYTES;
    }

    /// Whether it has as many entries as a launch with so much memory for them.
    boolean isFor(int callStackBytes) {
        return kinds.length == entries(callStackBytes);
    }

    void clear() {
        depth = 0;
        for (int kind = 0; kind < KINDS; kind++) {
            off[kind] = 0;
        }
    }

    boolean isFull() {
        return depth == kinds.length;
    }

    boolean isEmpty() {
        return depth == 0;
    }

    void push(int kind, int mask, int target) {
        kinds[depth] = kind;
        masks[depth] = mask;
        targets[depth++] = target;
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
