package io.gpuvm.cuda.service;

/// Current turn of a session, whose work all sessions of the virtual machine share. Confined to the
/// poller.
public interface Turn {
    /// Returns whether another call may be taken in this turn.
    boolean isLeft();

    /// Returns the work that is left, 0 or more, in steps: the check of a stream, a page-table
    /// entry, a copy of a few hundred bytes.
    int steps();

    /// Counts work in addition to the calls that are taken. The sum may exceed the steps that are
    /// left; later turns then have fewer.
    void spend(int steps);
}
