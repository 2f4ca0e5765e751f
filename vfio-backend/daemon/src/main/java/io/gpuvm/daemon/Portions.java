package io.gpuvm.daemon;

/// Resource of which each virtual machine gets a portion when it attaches: an eighth of the rest
/// that is free, so that many virtual machines can attach later, but at least a 32nd of the whole
/// as long as something is free. One thread at a time, except [#free()].
final class Portions {
    private static final int OF_FREE = 8;
    private static final int OF_WHOLE = 32;

    private final long whole;
    private volatile long free;

    /// @param whole amount of the resource
    Portions(long whole) {
        this.whole = whole;
        free = whole;
    }

    /// Returns the amount that is free. Any thread.
    long free() {
        return free;
    }

    /// Takes the portion of a virtual machine that attaches.
    ///
    /// @param most maximum amount
    /// @return amount, 0 if nothing is free
    long take(long most) {
        long least = Math.min(free, whole / OF_WHOLE);
        long portion = Math.min(most, Math.max(least, free / OF_FREE));
        free -= portion;
        return portion;
    }

    /// Takes a given amount, at most [#free()].
    long takeExactly(long amount) {
        free -= amount;
        return amount;
    }

    /// Returns a portion.
    void giveBack(long amount) {
        free += amount;
    }
}
