package io.gpuvm.trap.vgpu;

import java.util.ArrayDeque;

/// Which flushes of translations are under way in the GPU, in order: those that the guest asked
/// for, of one or more shadow directories each, and those that a doorbell made necessary.
///
/// Confined to the virtual machine's thread.
final class FlushAnswers {
    private static final class Flush {
        final boolean guests;
        int directories;

        Flush(boolean guests) {
            this.guests = guests;
        }
    }

    private final ArrayDeque<Flush> flushes = new ArrayDeque<>();

    /// A flush begins.
    ///
    /// @param guests whether the guest waits for it
    void begin(boolean guests) {
        flushes.add(new Flush(guests));
    }

    /// The flush that began last has one more directory.
    void addDirectory() {
        flushes.getLast().directories++;
    }

    /// The flush that began last has all its directories. One that has none is over.
    ///
    /// @return whether it is under way now
    boolean allAdded() {
        if (flushes.getLast().directories > 0) {
            return true;
        }
        flushes.removeLast();
        return false;
    }

    /// One directory is done.
    ///
    /// @return whether this ends a flush that the guest waits for
    boolean onFlushed() {
        Flush first = flushes.peek();
        if (first == null) {
            return false;
        }
        first.directories--;
        if (first.directories > 0) {
            return false;
        }
        flushes.remove();
        return first.guests;
    }

    /// Forgets what is under way: no answer comes any more.
    void clear() {
        flushes.clear();
    }
}
